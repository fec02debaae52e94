#include "api/rest/execution_filter.hpp"
#include "api/rest/execution_json.hpp"
#include "api/rest/handlers.hpp"
#include "api/rest/listing.hpp"
#include "api/rest/workspace.hpp"
#include "queue/list_executions.hpp"

namespace millrace::rest {

namespace {

constexpr std::string_view kExecutionsList = "executions";

http::HttpResponse executions_response(const Listing<Execution>& listing, const Page& page) {
    return listing_response(kExecutionsList, listing, page, append_execution);
}

}  // namespace

http::Handler list_executions_handler(const Context& context) {
    return [&queries = context.queries](const http::HttpRequest& request,
                                        const http::Responder& respond) {
        const Result<WorkspaceId> workspace_id = workspace_of(request);
        if (!workspace_id) return answer_error(respond, workspace_id.error());
        const Result<Page> page = page_of(kExecutionsList, request.query);
        if (!page) return answer_error(respond, page.error());
        const Result<ParsedExecutionFilter> parsed =
            parse_execution_filter(*workspace_id, request.query);
        if (!parsed) return answer_error(respond, parsed.error());
        if (parsed->is_impossible) return respond(executions_response({}, *page));
        const auto make = [page = *page](const Listing<Execution>& listing) {
            return executions_response(listing, page);
        };
        queries.submit(ListExecutions{parsed->filter, *page},
                       answer_with<Listing<Execution>>(respond, make));
    };
}

}  // namespace millrace::rest
