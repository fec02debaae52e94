#include "api/rest/body_reader.hpp"
#include "api/rest/handlers.hpp"
#include "api/rest/once_call.hpp"
#include "api/rest/path_ids.hpp"
#include "engine/signal_wait.hpp"

namespace millrace::rest {

namespace {

// The body is the variables themselves.
Result<SignalWait> parse_signal_wait(const http::HttpRequest& request) {
    const Result<InstanceKey> key = instance_in_path(request, "id");
    if (!key) return key.error();
    Result<json::Value> variables = parse_optional_object(request.body);
    if (!variables) return variables.error();
    return SignalWait{.instance = *key,
                      .step_id = request.path_parameter("stepId"),
                      .variables = std::move(*variables)};
}

json::Value asked_by(const SignalWait& command) {
    return json::Object{{"instanceId", to_string(command.instance.id.value)},
                        {"stepId", command.step_id},
                        {"variables", command.variables}};
}

}  // namespace

http::Handler signal_wait_handler(const Context& context) {
    return [context](const http::HttpRequest& request, const http::Responder& respond) {
        Result<SignalWait> command = parse_signal_wait(request);
        if (!command) return answer_error(respond, command.error());
        const WorkspaceId workspace_id = command->instance.workspace_id;
        submit_once(context, request, respond, workspace_id, std::move(*command), asked_by);
    };
}

}  // namespace millrace::rest
