#include "api/http/url.hpp"
#include "api/rest/handlers.hpp"
#include "api/rest/listing.hpp"
#include "api/rest/wire_json.hpp"
#include "api/rest/workspace.hpp"
#include "engine/list_definitions.hpp"

namespace millrace::rest {

namespace {

constexpr std::string_view kDefinitionsList = "definitions";

}  // namespace

http::Handler list_definitions_handler(const Context& context) {
    return [&queries = context.queries](const http::HttpRequest& request,
                                        const http::Responder& respond) {
        const Result<WorkspaceId> workspace_id = workspace_of(request);
        if (!workspace_id) return answer_error(respond, workspace_id.error());
        const Result<Page> page = page_of(kDefinitionsList, request.query);
        if (!page) return answer_error(respond, page.error());
        const ListDefinitions query{
            .filter = {.workspace_id = *workspace_id,
                       .keyword = http::query_value(request.query, "keyword").value_or("")},
            .page = *page,
        };
        const auto make = [page = query.page](const Listing<DefinitionSummary>& listing) {
            return listing_response(kDefinitionsList, listing, page, append_definition_summary);
        };
        queries.submit(query, answer_with<Listing<DefinitionSummary>>(respond, make));
    };
}

}  // namespace millrace::rest
