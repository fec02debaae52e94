#include "api/rest/execution_json.hpp"
#include "api/rest/handlers.hpp"
#include "api/rest/listing.hpp"
#include "api/rest/workspace.hpp"
#include "queue/list_dead_letter_groups.hpp"

namespace millrace::rest {

namespace {

constexpr std::string_view kDeadLetterGroupsList = "dead-letter-groups";

using Groups = std::vector<DeadLetterGroup>;

http::HttpResponse groups_response(const Groups& groups) {
    std::string body = R"({"items":[)";
    for (const DeadLetterGroup& group : groups) {
        if (body.back() != '[') body += ',';
        append_dead_letter_group(body, group);
    }
    body += "]}";
    return json_response(200, std::move(body));
}

}  // namespace

http::Handler list_dead_letter_groups_handler(const Context& context) {
    return [&queries = context.queries](const http::HttpRequest& request,
                                        const http::Responder& respond) {
        const Result<WorkspaceId> workspace_id = workspace_of(request);
        if (!workspace_id) return answer_error(respond, workspace_id.error());
        const Result<Page> page = page_of(kDeadLetterGroupsList, request.query);
        if (!page) return answer_error(respond, page.error());
        queries.submit(ListDeadLetterGroups{*workspace_id, page->size},
                       answer_with<Groups>(respond, groups_response));
    };
}

}  // namespace millrace::rest
