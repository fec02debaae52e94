#include "api/rest/answer.hpp"
#include "api/rest/explain_calls.hpp"
#include "api/rest/handlers.hpp"
#include "api/rest/path_ids.hpp"

namespace millrace::rest {

http::Handler explain_job_handler(const Context& context) {
    return [context](const http::HttpRequest& request, const http::Responder& respond) {
        const Result<JobKey> key = job_in_path(request, "id");
        if (!key) return answer_error(respond, key.error());
        context.queries.submit(ExplainJob{*key, explain_context(context)},
                               answer_with<Explanation>(respond, explanation_response));
    };
}

}  // namespace millrace::rest
