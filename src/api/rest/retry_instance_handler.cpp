#include "api/rest/answer.hpp"
#include "api/rest/audited_command.hpp"
#include "api/rest/handlers.hpp"
#include "api/rest/instance_response.hpp"
#include "api/rest/path_ids.hpp"
#include "api/rest/submit.hpp"
#include "engine/retry_instance.hpp"

namespace millrace::rest {

http::Handler retry_instance_handler(const Context& context) {
    return [context](const http::HttpRequest& request, const http::Responder& respond) {
        const Result<InstanceKey> key = instance_in_path(request, "id");
        if (!key) return answer_error(respond, key.error());
        submit(context, respond, audited(context, request, key->workspace_id, RetryInstance{*key}),
               answer_with<Instance>(respond, instance_response));
    };
}

}  // namespace millrace::rest
