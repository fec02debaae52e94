#include "api/rest/audited_command.hpp"
#include "api/rest/body_reader.hpp"
#include "api/rest/execution_calls.hpp"
#include "api/rest/handlers.hpp"
#include "api/rest/submit.hpp"
#include "base/json/write.hpp"
#include "base/nearest_word.hpp"
#include "core/bounded_message.hpp"
#include "queue/complete_execution.hpp"

namespace millrace::rest {

namespace {

QueueStatus end_of(BodyReader& body) {
    const std::string given = body.text("status");
    const auto end = parse_queue_status(given);
    if (end && !is_open(*end)) return *end;
    body.refuse("status", given.empty() ? "status is required"
                                        : no_such_word("status", given,
                                                       {"COMPLETED", "FAILED", "CANCELLED"}));
    return QueueStatus::completed;
}

// Without its key yet.
Result<CompleteExecution> parse_complete_execution(const http::HttpRequest& request,
                                                   UnreadFields& unread) {
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
    if (!body.finish(unread)) return body.error();
    if (result != nullptr) command.result = json::write(*result);
    if (!why.is_object()) return command;

    BodyReader error(why, "error");
    command.reason = error.name("reason");
    command.message = bounded_message(error.text("message"));
    if (!error.finish(unread)) return error.error();
    return command;
}

}  // namespace

http::Handler complete_execution_handler(const Context& context) {
    return [context](const http::HttpRequest& request, const http::Responder& answer) {
        const Result<GetExecution> asked = execution_in_path(request);
        if (!asked) return answer_error(answer, asked.error());
        UnreadFields unread(request);
        const Result<CompleteExecution> command = parse_complete_execution(request, unread);
        const http::Responder respond = unread.told_by(answer);
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
