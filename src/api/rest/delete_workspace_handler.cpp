#include "api/rest/answer.hpp"
#include "api/rest/audited_command.hpp"
#include "api/rest/execution_calls.hpp"
#include "api/rest/handlers.hpp"
#include "api/rest/query_filter.hpp"
#include "api/rest/submit.hpp"
#include "api/rest/workspace.hpp"
#include "core/limits.hpp"
#include "engine/cancel_instance.hpp"
#include "queue/change_workspace.hpp"
#include "queue/delete_workspace.hpp"
#include "queue/retire_workspace.hpp"

namespace millrace::rest {

namespace {

constexpr const char* kReason = "the workspace is deleted";

Result<RetireWorkspace> parse_delete_workspace(const http::HttpRequest& request) {
    const Result<WorkspaceId> id = workspace_of(request);
    if (!id) return id.error();
    if (const Status allowed = check_is_of_cluster(request); !allowed) return allowed.error();
    const std::string force = QueryFilter(request.query).text("force").value_or("false");
    if (force != "true" && force != "false") {
        const char* reason = "force must be true or false";
        return Error{ErrorCode::invalid_argument, reason, {{"force", reason}}};
    }
    return RetireWorkspace{.id = *id,
                           .is_forced = force == "true",
                           .count_max = limits::kBulkExecutionsMax,
                           .at_once_max = limits::kPageSizeMax};
}

RetireSteps steps_for(const Context& context, const http::Responder& respond, const Actor& actor,
                      const WorkspaceId& id) {
    RetireSteps steps;
    steps.set_paused = [=](bool is_paused, RetireSteps::Done<Workspace> done) {
        ChangeWorkspace command{
            .id = id, .changes = {.is_paused = is_paused}, .plans = context.plans};
        submit(context, respond, audited(context, actor, id, std::move(command)), std::move(done));
    };
    steps.cancel_execution = [=](const ExecutionKey& key, std::int64_t,
                                 std::function<void(const Result<ExecutionId>&)> done) {
        submit_cancel(context, respond, actor, {.key = key, .is_forced = true, .reason = kReason},
                      [done = std::move(done)](const Result<Execution>& cancelled) {
                          if (!cancelled) return done(cancelled.error());
                          done(cancelled->key.id);
                      });
    };
    steps.cancel_instance = [=](const InstanceKey& key, std::function<void(Status)> done) {
        submit(context, respond,
               audited(context, actor, key.workspace_id,
                       CancelInstance{.instance = key, .reason = kReason}),
               [done = std::move(done)](const Result<Instance>& cancelled) {
                   done(cancelled ? ok() : Status(cancelled.error()));
               });
    };
    steps.remove = [=](const CountedWork& counted, RetireSteps::Done<DeletedWorkspace> done) {
        submit(context, respond, audited(context, actor, id, DeleteWorkspace{counted}),
               std::move(done));
    };
    return steps;
}

}  // namespace

http::Handler delete_workspace_handler(const Context& context) {
    return [context](const http::HttpRequest& request, const http::Responder& respond) {
        const Result<RetireWorkspace> call = parse_delete_workspace(request);
        if (!call) return answer_error(respond, call.error());
        retire_workspace(*call, context.queries,
                         steps_for(context, respond, actor_of(request), call->id),
                         [respond](const Status& removed) {
                             if (!removed) return answer_error(respond, removed.error());
                             respond({.status = 204});
                         });
    };
}

}  // namespace millrace::rest
