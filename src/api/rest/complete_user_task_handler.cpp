#include "api/rest/answer.hpp"
#include "api/rest/body_reader.hpp"
#include "api/rest/handlers.hpp"
#include "api/rest/path_ids.hpp"
#include "engine/complete_user_task.hpp"

namespace millrace::rest {

namespace {

Result<CompleteUserTask> parse(const http::HttpRequest& request) {
    const Result<InstanceKey> key = instance_in_path(request, "id");
    if (!key) return key.error();
    const Result<json::Value> object = parse_optional_object(request.body);
    if (!object) return object.error();
    BodyReader body(*object);
    CompleteUserTask command{.instance = *key, .step_id = request.path_parameter("stepId")};
    command.variables = body.object("variables");
    command.completed_by = body.name("workerId");
    if (body.has_error()) return body.error();
    return command;
}

}  // namespace

http::Handler complete_user_task_handler(const Context& context) {
    return [&commands = context.commands](const http::HttpRequest& request,
                                          const http::Responder& respond) {
        Result<CompleteUserTask> command = parse(request);
        if (!command) return answer_error(respond, command.error());
        const auto make = [](const Instance&) {
            return http::HttpResponse{.status = 204};
        };
        commands.submit(std::move(*command), answer_with<Instance>(respond, make));
    };
}

}  // namespace millrace::rest
