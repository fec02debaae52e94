#include "api/rest/answer.hpp"
#include "api/rest/audited_command.hpp"
#include "api/rest/body_reader.hpp"
#include "api/rest/handlers.hpp"
#include "api/rest/idempotency.hpp"
#include "api/rest/path_ids.hpp"
#include "api/rest/task_result.hpp"
#include "engine/finish_user_task.hpp"

namespace millrace::rest {

namespace {

Result<FinishUserTask> parse(const http::HttpRequest& request) {
    const Result<UserTaskKey> key = user_task_in_path(request, "id");
    if (!key) return key.error();
    const Result<json::Value> object = parse_optional_object(request.body);
    if (!object) return object.error();
    BodyReader body(*object);
    TaskResult result = task_result_in(body);
    if (body.has_error()) return body.error();
    return FinishUserTask{*key, std::move(result.user_id), std::move(result.variables)};
}

json::Value asked_by(const FinishUserTask& command) {
    return json::Object{{"userTaskId", to_string(command.task.id.value)},
                        {"variables", command.variables},
                        {"userId", command.user_id}};
}

http::HttpResponse completed_response(const Once<Instance>& done) {
    return marked_if_replayed({.status = 204}, done.is_replayed());
}

}  // namespace

http::Handler finish_user_task_handler(const Context& context) {
    return [context](const http::HttpRequest& request, const http::Responder& respond) {
        Result<FinishUserTask> command = parse(request);
        if (!command) return answer_error(respond, command.error());
        const Result<std::optional<std::string>> key = idempotency_key_of(request);
        if (!key) return answer_error(respond, key.error());
        const WorkspaceId workspace_id = command->task.workspace_id;
        auto once =
            idempotent(*key, workspace_id,
                       audited(context, request, workspace_id, std::move(*command)), asked_by);
        context.commands.submit(std::move(once),
                                answer_with<Once<Instance>>(respond, completed_response));
    };
}

}  // namespace millrace::rest
