#include "api/rest/answer.hpp"
#include "api/rest/handlers.hpp"
#include "api/rest/job_json.hpp"
#include "api/rest/path_ids.hpp"
#include "engine/get_job.hpp"

namespace millrace::rest {

namespace {

http::HttpResponse job_response(const JobView& view) {
    std::string body;
    append_job_view(body, view);
    return json_response(200, std::move(body));
}

}  // namespace

http::Handler get_job_handler(const Context& context) {
    return [&queries = context.queries](const http::HttpRequest& request,
                                        const http::Responder& respond) {
        const Result<SoughtJob> job = job_in_path(request, "id");
        if (!job) return answer_error(respond, job.error());
        queries.submit(GetJob{job->key, job->lookup == Lookup::anywhere},
                       answer_with<JobView>(respond, job_response));
    };
}

}  // namespace millrace::rest
