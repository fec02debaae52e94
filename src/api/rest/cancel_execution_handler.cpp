#include "api/rest/actor.hpp"
#include "api/rest/body_reader.hpp"
#include "api/rest/execution_calls.hpp"
#include "api/rest/handlers.hpp"
#include "core/bounded_message.hpp"
#include "queue/cancel_execution.hpp"

namespace millrace::rest {

namespace {

// Without its key yet.
Result<CancelExecution> parse_cancel_execution(const http::HttpRequest& request) {
    const Result<json::Value> object = parse_optional_object(request.body);
    if (!object) return object.error();
    BodyReader body(*object);
    CancelExecution command{.is_forced = body.flag("force"),
                            .reason = bounded_message(body.text("reason"))};
    if (!body.finish()) return body.error();
    return command;
}

}  // namespace

http::Handler cancel_execution_handler(const Context& context) {
    return [context](const http::HttpRequest& request, const http::Responder& respond) {
        const Result<GetExecution> asked = execution_in_path(request);
        if (!asked) return answer_error(respond, asked.error());
        const Result<CancelExecution> command = parse_cancel_execution(request);
        if (!command) return answer_error(respond, command.error());
        find_execution_key(context, respond, *asked,
                           [context, respond, actor = actor_of(request),
                            command = *command](const ExecutionKey& key) mutable {
                               command.key = key;
                               submit_cancel(context, respond, actor, command,
                                             answer_with<Execution>(respond, execution_response));
                           });
    };
}

}  // namespace millrace::rest
