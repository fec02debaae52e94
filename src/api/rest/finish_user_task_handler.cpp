#include "api/rest/actor.hpp"
#include "api/rest/body_reader.hpp"
#include "api/rest/handlers.hpp"
#include "api/rest/once_call.hpp"
#include "api/rest/path_ids.hpp"
#include "api/rest/task_result.hpp"
#include "engine/finish_user_task.hpp"

namespace millrace::rest {

namespace {

Result<FinishUserTask> parse_finish_user_task(const http::HttpRequest& request,
                                              UnreadFields& unread) {
    const Result<UserTaskKey> key = user_task_in_path(request, "id");
    if (!key) return key.error();
    const Result<json::Value> object = parse_optional_object(request.body);
    if (!object) return object.error();
    BodyReader body(*object);
    TaskResult result = task_result_in(body);
    if (!body.finish(unread)) return body.error();
    return FinishUserTask{.task = *key,
                          .user_id = std::move(result.user_id),
                          .variables = std::move(result.variables)};
}

json::Value asked_by(const FinishUserTask& command) {
    return json::Object{{"userTaskId", to_string(command.task.id.value)},
                        {"variables", command.variables},
                        {"userId", command.user_id}};
}

}  // namespace

http::Handler finish_user_task_handler(const Context& context) {
    return [context](const http::HttpRequest& request, const http::Responder& answer) {
        UnreadFields unread(request);
        Result<FinishUserTask> command = parse_finish_user_task(request, unread);
        const http::Responder respond = unread.told_by(answer);
        if (!command) return answer_error(respond, command.error());
        command->key_name = actor_of(request).key_name;
        const WorkspaceId workspace_id = command->task.workspace_id;
        submit_once(context, request, respond, workspace_id, std::move(*command), asked_by);
    };
}

}  // namespace millrace::rest
