#include "api/rest/answer.hpp"
#include "api/rest/audited_command.hpp"
#include "api/rest/body_reader.hpp"
#include "api/rest/handlers.hpp"
#include "api/rest/instance_response.hpp"
#include "api/rest/path_ids.hpp"
#include "api/rest/submit.hpp"
#include "core/bounded_message.hpp"
#include "engine/suspend_instance.hpp"

namespace millrace::rest {

http::Handler suspend_instance_handler(const Context& context) {
    return [context](const http::HttpRequest& request, const http::Responder& respond) {
        const Result<InstanceKey> key = instance_in_path(request, "id");
        if (!key) return answer_error(respond, key.error());
        const Result<json::Value> object = parse_optional_object(request.body);
        if (!object) return answer_error(respond, object.error());
        BodyReader body(*object);
        SuspendInstance command{.instance = *key, .reason = bounded_message(body.text("reason"))};
        if (!body.finish()) return answer_error(respond, body.error());
        submit(context, respond, audited(context, request, key->workspace_id, std::move(command)),
               answer_with<Instance>(respond, instance_response));
    };
}

}  // namespace millrace::rest
