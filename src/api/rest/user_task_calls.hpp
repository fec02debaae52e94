#pragma once

#include "api/rest/answer.hpp"
#include "api/rest/audited_command.hpp"
#include "api/rest/body_reader.hpp"
#include "api/rest/context.hpp"
#include "api/rest/path_ids.hpp"
#include "api/rest/submit.hpp"
#include "api/rest/user_task_json.hpp"

namespace millrace::rest {

// A call that changes who has a user task and answers with it. `fill(body, command)` takes the
// fields of the body, which may be missing.
template <class Command, class Fill>
http::Handler user_task_call(const Context& context, Fill fill) {
    return [context, fill](const http::HttpRequest& request, const http::Responder& respond) {
        const Result<UserTaskKey> key = user_task_in_path(request, "id");
        if (!key) return answer_error(respond, key.error());
        const Result<json::Value> object = parse_optional_object(request.body);
        if (!object) return answer_error(respond, object.error());
        BodyReader body(*object);
        Command command{.task = *key};
        fill(body, command);
        if (!body.finish()) return answer_error(respond, body.error());
        const auto make = [](const UserTask& task) {
            std::string text;
            append_user_task(text, task);
            return json_response(200, std::move(text));
        };
        submit(context, respond, audited(context, request, key->workspace_id, std::move(command)),
               answer_with<UserTask>(respond, make));
    };
}

}  // namespace millrace::rest
