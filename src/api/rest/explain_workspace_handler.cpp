#include "api/rest/answer.hpp"
#include "api/rest/explain_calls.hpp"
#include "api/rest/handlers.hpp"
#include "api/rest/workspace.hpp"

namespace millrace::rest {

http::Handler explain_workspace_handler(const Context& context) {
    return [context](const http::HttpRequest& request, const http::Responder& respond) {
        const Result<WorkspaceId> id = workspace_of(request);
        if (!id) return answer_error(respond, id.error());
        context.queries.submit(ExplainWorkspace{*id, explain_context(context)},
                               answer_with<Explanation>(respond, explanation_response));
    };
}

}  // namespace millrace::rest
