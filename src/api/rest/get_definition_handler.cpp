#include <algorithm>

#include "api/rest/answer.hpp"
#include "api/rest/handlers.hpp"
#include "api/rest/listing.hpp"
#include "api/rest/workspace.hpp"
#include "engine/get_definition.hpp"

namespace millrace::rest {

namespace {

Result<GetDefinition> parse_get_definition(const http::HttpRequest& request) {
    const Result<WorkspaceId> workspace_id = workspace_of(request);
    if (!workspace_id) return workspace_id.error();
    GetDefinition query{.workspace_id = *workspace_id, .id = request.path_parameter("id")};
    const std::string* asked = request.find_path_parameter("version");
    if (asked == nullptr) return query;

    const auto version = whole_number(*asked);
    if (!version) return Error{ErrorCode::invalid_argument, "invalid version parameter"};
    // 0 means the latest only where no version is named.
    if (*version < 1) return definition_not_found(*workspace_id, query.id, *version);
    query.version = *version;
    return query;
}

}  // namespace

http::Handler get_definition_handler(const Context& context) {
    return [&queries = context.queries](const http::HttpRequest& request,
                                        const http::Responder& respond) {
        const Result<GetDefinition> query = parse_get_definition(request);
        if (!query) return answer_error(respond, query.error());
        const auto make = [](const DefinitionRecord& record) {
            return json_response(200, record.content);
        };
        queries.submit(*query, answer_with<DefinitionRecord>(respond, make));
    };
}

}  // namespace millrace::rest
