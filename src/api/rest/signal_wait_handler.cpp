#include "api/rest/answer.hpp"
#include "api/rest/body_reader.hpp"
#include "api/rest/handlers.hpp"
#include "api/rest/path_ids.hpp"
#include "engine/signal_wait.hpp"

namespace millrace::rest {

namespace {

// The body is the variables themselves.
Result<SignalWait> parse(const http::HttpRequest& request) {
    const Result<InstanceKey> key = instance_in_path(request, "id");
    if (!key) return key.error();
    Result<json::Value> variables = parse_optional_object(request.body);
    if (!variables) return variables.error();
    return SignalWait{.instance = *key,
                      .step_id = request.path_parameter("stepId"),
                      .variables = std::move(*variables)};
}

}  // namespace

http::Handler signal_wait_handler(const Context& context) {
    return [&commands = context.commands](const http::HttpRequest& request,
                                          const http::Responder& respond) {
        Result<SignalWait> command = parse(request);
        if (!command) return answer_error(respond, command.error());
        const auto make = [](const Instance&) {
            return http::HttpResponse{.status = 204};
        };
        commands.submit(std::move(*command), answer_with<Instance>(respond, make));
    };
}

}  // namespace millrace::rest
