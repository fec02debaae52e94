#include "api/rest/handlers.hpp"
#include "api/rest/job_json.hpp"
#include "api/rest/listing.hpp"
#include "api/rest/query_filter.hpp"
#include "api/rest/workspace.hpp"
#include "engine/list_jobs.hpp"

namespace millrace::rest {

namespace {

constexpr std::string_view kJobsList = "jobs";

http::HttpResponse jobs_response(const Listing<Job>& listing, const Page& page) {
    return listing_response(kJobsList, listing, page, append_open_job);
}

}  // namespace

http::Handler list_jobs_handler(const Context& context) {
    return [&queries = context.queries](const http::HttpRequest& request,
                                        const http::Responder& respond) {
        const Result<WorkspaceId> workspace_id = workspace_of(request);
        if (!workspace_id) return answer_error(respond, workspace_id.error());
        const Result<Page> page = page_of(kJobsList, request.query);
        if (!page) return answer_error(respond, page.error());

        QueryFilter given(request.query);
        JobFilter filter{
            .workspace_id = *workspace_id,
            .instance_id = given.instance_id("instanceId"),
            .job_type = given.text("jobType"),
            .worker_id = given.text("workerId"),
        };
        if (const auto status = given.text("status")) {
            filter.status = parse_job_state(*status);
            const bool is_open =
                filter.status == JobState::unlocked || filter.status == JobState::locked;
            if (!is_open) {
                return answer_error(respond,
                                    no_such_value("status", *status, {"UNLOCKED", "LOCKED"}));
            }
        }
        if (given.matches_nothing()) return respond(jobs_response({}, *page));
        const auto make = [page = *page](const Listing<Job>& listing) {
            return jobs_response(listing, page);
        };
        queries.submit(ListJobs{filter, *page}, answer_with<Listing<Job>>(respond, make));
    };
}

}  // namespace millrace::rest
