#include "api/rest/answer.hpp"
#include "api/rest/explain_calls.hpp"
#include "api/rest/handlers.hpp"
#include "api/rest/path_ids.hpp"

namespace millrace::rest {

http::Handler explain_job_handler(const Context& context) {
    return [context](const http::HttpRequest& request, const http::Responder& respond) {
        const Result<SoughtJob> job = job_in_path(request, "id");
        if (!job) return answer_error(respond, job.error());
        const ExplainJob query{job->key, job->lookup == Lookup::anywhere, explain_context(context)};
        context.queries.submit(query, answer_with<Explanation>(respond, explanation_response));
    };
}

}  // namespace millrace::rest
