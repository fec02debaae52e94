#include "api/rest/actor.hpp"
#include "api/rest/body_reader.hpp"
#include "api/rest/handlers.hpp"
#include "api/rest/once_call.hpp"
#include "api/rest/path_ids.hpp"
#include "api/rest/task_result.hpp"
#include "engine/complete_user_task.hpp"

namespace millrace::rest {

namespace {

Result<CompleteUserTask> parse_complete_user_task(const http::HttpRequest& request,
                                                  UnreadFields& unread) {
    const Result<InstanceKey> key = instance_in_path(request, "id");
    if (!key) return key.error();
    const Result<json::Value> object = parse_optional_object(request.body);
    if (!object) return object.error();
    BodyReader body(*object);
    TaskResult result = task_result_in(body);
    if (!body.finish(unread)) return body.error();
    return CompleteUserTask{
        .instance = *key,
        .step_id = request.path_parameter("stepId"),
        .variables = std::move(result.variables),
        .completed_by = std::move(result.user_id),
    };
}

json::Value asked_by(const CompleteUserTask& command) {
    return json::Object{{"instanceId", to_string(command.instance.id.value)},
                        {"stepId", command.step_id},
                        {"variables", command.variables},
                        {"completedBy", command.completed_by}};
}

}  // namespace

http::Handler complete_user_task_handler(const Context& context) {
    return [context](const http::HttpRequest& request, const http::Responder& answer) {
        UnreadFields unread(request);
        Result<CompleteUserTask> command = parse_complete_user_task(request, unread);
        const http::Responder respond = unread.told_by(answer);
        if (!command) return answer_error(respond, command.error());
        command->key_name = actor_of(request).key_name;
        const WorkspaceId workspace_id = command->instance.workspace_id;
        submit_once(context, request, respond, workspace_id, std::move(*command), asked_by);
    };
}

}  // namespace millrace::rest
