#pragma once

#include <memory>
#include <utility>

#include "api/rest/context.hpp"
#include "api/rest/path_ids.hpp"
#include "api/rest/submit.hpp"
#include "commit/command_queue.hpp"
#include "engine/find_workspace.hpp"

namespace millrace::rest {

// A command on one job, kept until it is sure that it will not be needed again.
template <class Request>
struct KeptCommand {
    static constexpr std::string_view kName = Request::kName;

    std::shared_ptr<const Request> request{};
};

template <class Request>
Footprint footprint(const KeptCommand<Request>& kept) {
    return footprint(*kept.request);
}

template <class Request>
auto decide(const KeptCommand<Request>& kept, const WorkingSet& rows, Instant now) {
    return decide(*kept.request, rows, now);
}

// Makes a command on a job whose workspace may not be known. A guess says where to look first; not
// found there, it is looked up, and the command is submitted again. So the usual way costs nothing,
// and a wrong guess one question. `done` is called as the queue says.
template <class Request>
std::unique_ptr<Command> job_command(const Context& context, const CommandTrace& trace,
                                     Lookup lookup, Request request,
                                     typename PendingCommand<Request>::Done done) {
    using Answer = typename PendingCommand<Request>::Answer;
    if (lookup == Lookup::here) {
        return CommandQueue::make_command(std::move(request), std::move(done));
    }
    request.job.workspace_id = context.job_workspaces->guess(instance_of(request.job.id));
    const auto kept = std::make_shared<const Request>(std::move(request));
    const auto again = [&commands = context.commands, &queries = context.queries,
                        workspaces = context.job_workspaces, trace, kept,
                        done = std::move(done)](const Result<Answer>& outcome) {
        if (outcome || outcome.error().code != ErrorCode::not_found) return done(outcome);
        const InstanceId instance = instance_of(kept->job.id);
        const auto try_there = [&commands, workspaces, trace, kept, done, outcome,
                                instance](const Result<std::optional<WorkspaceId>>& found) {
            if (!found) return done(found.error());
            if (!*found || **found == kept->job.workspace_id) return done(outcome);
            workspaces->note(instance, **found);
            Request there = *kept;
            there.job.workspace_id = **found;
            commands.submit(std::move(there), done, trace);
        };
        queries.submit(FindWorkspace{instance}, try_there);
    };
    return CommandQueue::make_command(KeptCommand<Request>{kept}, again);
}

template <class Request, class Done>
void submit_job_command(const Context& context, const http::Responder& respond, Lookup lookup,
                        Request request, Done done) {
    const CommandTrace trace = trace_of(context, respond);
    std::vector<std::unique_ptr<Command>> one;
    one.push_back(job_command(context, trace, lookup, std::move(request), std::move(done)));
    context.commands.push(std::move(one), trace);
}

}  // namespace millrace::rest
