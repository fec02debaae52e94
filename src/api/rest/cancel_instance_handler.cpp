#include "api/rest/answer.hpp"
#include "api/rest/audited_command.hpp"
#include "api/rest/body_reader.hpp"
#include "api/rest/handlers.hpp"
#include "api/rest/instance_response.hpp"
#include "api/rest/path_ids.hpp"
#include "api/rest/submit.hpp"
#include "core/bounded_message.hpp"
#include "engine/cancel_instance.hpp"

namespace millrace::rest {

namespace {

// A body that is missing or makes no sense is no reason to keep an instance running.
std::string reason_in(const http::HttpRequest& request, UnreadFields& unread) {
    const Result<json::Value> object = parse_optional_object(request.body);
    if (!object) return {};
    BodyReader body(*object);
    std::string reason = bounded_message(body.text("reason"));
    (void)body.finish(unread);
    return reason;
}

}  // namespace

http::Handler cancel_instance_handler(const Context& context) {
    return [context](const http::HttpRequest& request, const http::Responder& answer) {
        const Result<InstanceKey> key = instance_in_path(request, "id");
        if (!key) return answer_error(answer, key.error());
        UnreadFields unread(request);
        CancelInstance command{.instance = *key, .reason = reason_in(request, unread)};
        const http::Responder respond = unread.told_by(answer);
        submit(context, respond, audited(context, request, key->workspace_id, std::move(command)),
               answer_with<Instance>(respond, instance_response));
    };
}

}  // namespace millrace::rest
