#include "api/rest/execution_filter.hpp"
#include "api/rest/execution_json.hpp"
#include "api/rest/handlers.hpp"
#include "api/rest/listing.hpp"
#include "api/rest/workspace.hpp"
#include "queue/list_dead_letters.hpp"

namespace millrace::rest {

namespace {

constexpr std::string_view kDeadLettersList = "dead-letters";

}  // namespace

http::Handler list_dead_letters_handler(const Context& context) {
    return [&queries = context.queries](const http::HttpRequest& request,
                                        const http::Responder& respond) {
        const Result<WorkspaceId> workspace_id = workspace_of(request);
        if (!workspace_id) return answer_error(respond, workspace_id.error());
        const Result<Page> page = page_of(kDeadLettersList, request.query);
        if (!page) return answer_error(respond, page.error());
        const Result<ParsedExecutionFilter> parsed =
            parse_execution_filter(*workspace_id, request.query);
        if (!parsed) return answer_error(respond, parsed.error());
        const auto make = [page = *page](const Listing<Execution>& listing) {
            return listing_response(kDeadLettersList, listing, page, append_execution);
        };
        queries.submit(ListDeadLetters{parsed->filter, *page},
                       answer_with<Listing<Execution>>(respond, make));
    };
}

}  // namespace millrace::rest
