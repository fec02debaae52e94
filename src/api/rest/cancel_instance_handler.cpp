#include "api/rest/answer.hpp"
#include "api/rest/audited_command.hpp"
#include "api/rest/body_reader.hpp"
#include "api/rest/handlers.hpp"
#include "api/rest/instance_response.hpp"
#include "api/rest/message_text.hpp"
#include "api/rest/path_ids.hpp"
#include "api/rest/submit.hpp"
#include "engine/cancel_instance.hpp"

namespace millrace::rest {

namespace {

// A body that is missing or makes no sense is no reason to keep an instance running.
std::string reason_in(const http::HttpRequest& request) {
    const Result<json::Value> object = parse_optional_object(request.body);
    return object ? message_text(BodyReader(*object).text("reason")) : std::string();
}

}  // namespace

http::Handler cancel_instance_handler(const Context& context) {
    return [context](const http::HttpRequest& request, const http::Responder& respond) {
        const Result<InstanceKey> key = instance_in_path(request, "id");
        if (!key) return answer_error(respond, key.error());
        CancelInstance command{.instance = *key, .reason = reason_in(request)};
        submit(context, respond, audited(context, request, key->workspace_id, std::move(command)),
               answer_with<Instance>(respond, instance_response));
    };
}

}  // namespace millrace::rest
