#include "api/http/url.hpp"
#include "api/rest/handlers.hpp"
#include "api/rest/listing.hpp"
#include "api/rest/wire_json.hpp"
#include "api/rest/workspace.hpp"
#include "engine/list_instances.hpp"

namespace millrace::rest {

namespace {

// Of a query parameter; what is empty counts as not given.
std::optional<std::string> filter_value(const http::HttpRequest& request, std::string_view name) {
    auto value = http::query_value(request.query, name);
    return value && value->empty() ? std::nullopt : value;
}

http::HttpResponse page_response(const Listing<Instance>& listing, Page page) {
    return listing_response(listing, page, append_instance);
}

}  // namespace

http::Handler list_instances_handler(const Context& context) {
    return [&queries = context.queries](const http::HttpRequest& request,
                                        const http::Responder& respond) {
        const Result<WorkspaceId> workspace_id = workspace_of(request);
        if (!workspace_id) return answer_error(respond, workspace_id.error());
        const Result<Page> page = page_of(request.query);
        if (!page) return answer_error(respond, page.error());
        ListInstances query{
            .filter = {.workspace_id = *workspace_id,
                       .definition_id = filter_value(request, "definitionId"),
                       .business_key = filter_value(request, "businessKey")},
            .page = *page,
        };
        if (const auto status = filter_value(request, "status")) {
            const auto parsed = parse_instance_status(*status);
            // No instance has a status that does not exist.
            if (!parsed) return respond(page_response({}, query.page));
            query.filter.statuses = {*parsed};
        }
        const auto make = [page = query.page](const Listing<Instance>& listing) {
            return page_response(listing, page);
        };
        queries.submit(query, answer_with<Listing<Instance>>(respond, make));
    };
}

}  // namespace millrace::rest
