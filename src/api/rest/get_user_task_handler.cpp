#include "api/rest/answer.hpp"
#include "api/rest/handlers.hpp"
#include "api/rest/path_ids.hpp"
#include "api/rest/user_task_json.hpp"
#include "engine/get_user_task.hpp"

namespace millrace::rest {

namespace {

http::HttpResponse view_response(const UserTaskView& view) {
    std::string body;
    append_user_task_view(body, view);
    return json_response(200, std::move(body));
}

}  // namespace

http::Handler get_user_task_handler(const Context& context) {
    return [&queries = context.queries](const http::HttpRequest& request,
                                        const http::Responder& respond) {
        const Result<UserTaskKey> key = user_task_in_path(request, "id");
        if (!key) return answer_error(respond, key.error());
        queries.submit(GetUserTask{*key}, answer_with<UserTaskView>(respond, view_response));
    };
}

}  // namespace millrace::rest
