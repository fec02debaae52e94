#include "api/rest/answer.hpp"
#include "api/rest/explain_calls.hpp"
#include "api/rest/handlers.hpp"
#include "api/rest/path_ids.hpp"

namespace millrace::rest {

http::Handler explain_instance_handler(const Context& context) {
    return [context](const http::HttpRequest& request, const http::Responder& respond) {
        const Result<InstanceKey> key = instance_in_path(request, "id");
        if (!key) return answer_error(respond, key.error());
        context.queries.submit(ExplainInstance{*key, explain_context(context)},
                               answer_with<Explanation>(respond, explanation_response));
    };
}

}  // namespace millrace::rest
