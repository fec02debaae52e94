#include "api/rest/handlers.hpp"
#include "api/rest/listing.hpp"
#include "api/rest/wire_json.hpp"
#include "api/rest/workspace.hpp"
#include "engine/list_definition_versions.hpp"

namespace millrace::rest {

namespace {

constexpr std::string_view kDefinitionVersionsList = "definition-versions";

}  // namespace

http::Handler list_definition_versions_handler(const Context& context) {
    return [&queries = context.queries](const http::HttpRequest& request,
                                        const http::Responder& respond) {
        const Result<WorkspaceId> workspace_id = workspace_of(request);
        if (!workspace_id) return answer_error(respond, workspace_id.error());
        const Result<Page> page = page_of(kDefinitionVersionsList, request.query);
        if (!page) return answer_error(respond, page.error());
        const auto make = [page = *page](const Listing<DefinitionSummary>& listing) {
            return listing_response(
                kDefinitionVersionsList, listing, page, append_definition_summary,
                [](const DefinitionSummary& item) { return std::to_string(item.version); });
        };
        queries.submit(ListDefinitionVersions{*workspace_id, request.path_parameter("id"), *page},
                       answer_with<Listing<DefinitionSummary>>(respond, make));
    };
}

}  // namespace millrace::rest
