#include "api/rest/audited_command.hpp"
#include "api/rest/body_reader.hpp"
#include "api/rest/execution_calls.hpp"
#include "api/rest/handlers.hpp"
#include "api/rest/message_text.hpp"
#include "api/rest/submit.hpp"
#include "base/json/write.hpp"
#include "queue/complete_execution.hpp"

namespace millrace::rest {

namespace {

QueueStatus end_of(BodyReader& body) {
    const auto end = parse_queue_status(body.text("status"));
    if (end && !is_open(*end)) return *end;
    body.refuse("status", "status must be COMPLETED, FAILED or CANCELLED");
    return QueueStatus::completed;
}

// Without its key yet.
Result<CompleteExecution> parse_complete_execution(const http::HttpRequest& request) {
    const Result<json::Value> object = parse_object(request.body);
    if (!object) return object.error();
    BodyReader body(*object);
    CompleteExecution command{.end = end_of(body)};
    command.run_id = body.name("runId");
    const json::Value* result = body.value("result");
    const json::Value why = body.object("error");
    if (result != nullptr && command.end != QueueStatus::completed) {
        body.refuse("result", "result belongs to COMPLETED");
    }
    if (why.is_object() && command.end == QueueStatus::completed) {
        body.refuse("error", "error does not belong to COMPLETED");
    }
    if (body.has_error()) return body.error();
    if (result != nullptr) command.result = json::write(*result);
    if (!why.is_object()) return command;

    BodyReader error(why, "error");
    command.reason = error.name("reason");
    command.message = message_text(error.text("message"));
    if (error.has_error()) return error.error();
    return command;
}

}  // namespace

http::Handler complete_execution_handler(const Context& context) {
    return [context](const http::HttpRequest& request, const http::Responder& respond) {
        const Result<GetExecution> asked = execution_in_path(request);
        if (!asked) return answer_error(respond, asked.error());
        const Result<CompleteExecution> command = parse_complete_execution(request);
        if (!command) return answer_error(respond, command.error());
        find_execution_key(context, respond, *asked,
                           [context, respond, actor = actor_of(request),
                            command = *command](const ExecutionKey& key) mutable {
                               command.key = key;
                               submit(context, respond,
                                      audited(context, actor, key.workspace_id, command),
                                      answer_with<Execution>(respond, execution_response));
                           });
    };
}

}  // namespace millrace::rest
