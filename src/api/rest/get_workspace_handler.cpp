#include "api/rest/answer.hpp"
#include "api/rest/handlers.hpp"
#include "api/rest/workspace.hpp"
#include "api/rest/workspace_json.hpp"
#include "queue/get_workspace.hpp"

namespace millrace::rest {

http::Handler get_workspace_handler(const Context& context) {
    return [context](const http::HttpRequest& request, const http::Responder& respond) {
        const Result<WorkspaceId> id = workspace_of(request);
        if (!id) return answer_error(respond, id.error());
        const auto make = [context](const Workspace& workspace) {
            return workspace_response(200, workspace, context);
        };
        context.queries.submit(GetWorkspace{*id}, answer_with<Workspace>(respond, make));
    };
}

}  // namespace millrace::rest
