#include "api/http/url.hpp"
#include "api/rest/handlers.hpp"
#include "api/rest/instance_filter.hpp"
#include "api/rest/listing.hpp"
#include "api/rest/wire_json.hpp"
#include "api/rest/workspace.hpp"
#include "engine/list_instances.hpp"

namespace millrace::rest {

namespace {

constexpr std::string_view kInstancesList = "instances";

http::HttpResponse instances_response(const Listing<Instance>& listing, const Page& page) {
    return listing_response(kInstancesList, listing, page, append_instance);
}

}  // namespace

http::Handler list_instances_handler(const Context& context) {
    return [&queries = context.queries](const http::HttpRequest& request,
                                        const http::Responder& respond) {
        const Result<WorkspaceId> workspace_id = workspace_of(request);
        if (!workspace_id) return answer_error(respond, workspace_id.error());
        const Result<Page> page = page_of(kInstancesList, request.query);
        if (!page) return answer_error(respond, page.error());
        const auto value = [&request](std::string_view name) {
            return http::query_value(request.query, name);
        };
        const Result<InstanceFilter> filter = parse_instance_filter(*workspace_id, value);
        if (!filter) return answer_error(respond, filter.error());
        const auto make = [page = *page](const Listing<Instance>& listing) {
            return instances_response(listing, page);
        };
        queries.submit(ListInstances{*filter, *page},
                       answer_with<Listing<Instance>>(respond, make));
    };
}

}  // namespace millrace::rest
