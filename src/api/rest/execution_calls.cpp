#include "api/rest/execution_calls.hpp"

#include "api/rest/audited_command.hpp"
#include "api/rest/execution_json.hpp"
#include "api/rest/path_ids.hpp"
#include "api/rest/submit.hpp"
#include "api/rest/workspace.hpp"
#include "queue/redrive_execution.hpp"
#include "queue/retry_execution.hpp"

namespace millrace::rest {

namespace {

// So often its chain may go on between a look and the lock.
constexpr int kCancelTriesMax = 10;

void cancel(const Context& context, const http::Responder& respond, const Actor& actor,
            const CancelExecution& command, int tries_left,
            std::function<void(const Result<Execution>&)> done) {
    auto next = [context, respond, actor, command, tries_left,
                 done = std::move(done)](const Result<CancelledExecution>& answer) {
        if (!answer) return done(answer.error());
        if (!answer->instance_needed) return done(answer->execution);
        if (tries_left == 0) {
            return done(Error{ErrorCode::unavailable,
                              "The execution goes on too fast to be cancelled. Try again."});
        }
        CancelExecution again = command;
        again.instance_id = answer->instance_needed;
        cancel(context, respond, actor, again, tries_left - 1, done);
    };
    submit(context, respond, audited(context, actor, command.key.workspace_id, command),
           std::move(next));
}

}  // namespace

Result<GetExecution> execution_in_path(const http::HttpRequest& request) {
    Result<std::optional<WorkspaceId>> scope = scope_of(request);
    if (!scope) return scope.error();
    const Result<ExecutionId> id = execution_id(request.path_parameter("id"));
    if (!id) return id.error();
    return GetExecution{*id, std::move(*scope)};
}

void find_execution_key(const Context& context, const http::Responder& respond,
                        const GetExecution& asked, std::function<void(const ExecutionKey&)> next) {
    if (asked.workspace_id) return next({asked.id, *asked.workspace_id});
    context.queries.submit(asked,
                           [respond, next = std::move(next)](const Result<StoredExecution>& found) {
                               if (!found) return answer_error(respond, found.error());
                               next(found->execution.key);
                           });
}

void submit_cancel(const Context& context, const http::Responder& respond, const Actor& actor,
                   CancelExecution command, std::function<void(const Result<Execution>&)> done) {
    cancel(context, respond, actor, command, kCancelTriesMax, std::move(done));
}

http::HttpResponse execution_response(const Execution& execution) {
    std::string body;
    append_execution(body, execution);
    return json_response(200, std::move(body));
}

http::HttpResponse stored_execution_response(const StoredExecution& stored) {
    std::string body;
    append_stored_execution(body, stored);
    return json_response(200, std::move(body));
}

void submit_redrive(const Context& context, const http::Responder& respond, const Redrive& redrive,
                    const GetExecution& asked, std::function<void(const Result<Execution>&)> done) {
    auto next = [context, respond, redrive,
                 done = std::move(done)](const Result<StoredExecution>& found) {
        if (!found) return done(found.error());
        const Execution& execution = found->execution;
        const WorkspaceId& workspace_id = execution.key.workspace_id;
        const bool is_retried = execution.queue_status == QueueStatus::failed && has_run(execution);
        if (!is_retried) {
            return submit(context, respond,
                          audited(context, redrive.actor, workspace_id,
                                  RedriveExecution{execution.key, redrive.not_before}),
                          done);
        }
        RetryExecution command{
            .key = execution.key,
            .not_before = redrive.not_before,
            .new_id = execution_of(context.instance_ids.next()),
            .input = found->input,
            .requested_by = redrive.requested_by,
            .trace = respond.trace(),
        };
        submit(context, respond, audited(context, redrive.actor, workspace_id, std::move(command)),
               done);
    };
    context.queries.submit(asked, std::move(next));
}

}  // namespace millrace::rest
