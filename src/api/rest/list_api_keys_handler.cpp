#include "api/rest/api_key_json.hpp"
#include "api/rest/handlers.hpp"
#include "api/rest/listing.hpp"
#include "api/rest/workspace.hpp"
#include "engine/list_api_keys.hpp"

namespace millrace::rest {

namespace {

constexpr std::string_view kApiKeysList = "keys";

void append_item(std::string& out, const ApiKey& key) {
    out += '{';
    append_api_key_members(out, key);
    out += '}';
}

}  // namespace

http::Handler list_api_keys_handler(const Context& context) {
    return [&queries = context.queries](const http::HttpRequest& request,
                                        const http::Responder& respond) {
        const Result<std::optional<WorkspaceId>> scope = scope_of(request);
        if (!scope) return answer_error(respond, scope.error());
        const Result<Page> page = page_of(kApiKeysList, request.query);
        if (!page) return answer_error(respond, page.error());
        const auto make = [page = *page](const Listing<ApiKey>& listing) {
            return listing_response(kApiKeysList, listing, page, append_item,
                                    [](const ApiKey& key) { return key.id; });
        };
        queries.submit(ListApiKeys{.filter = {.workspace_id = *scope}, .page = *page},
                       answer_with<Listing<ApiKey>>(respond, make));
    };
}

}  // namespace millrace::rest
