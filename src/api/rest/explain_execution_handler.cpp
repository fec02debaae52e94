#include "api/rest/answer.hpp"
#include "api/rest/execution_calls.hpp"
#include "api/rest/explain_calls.hpp"
#include "api/rest/handlers.hpp"

namespace millrace::rest {

http::Handler explain_execution_handler(const Context& context) {
    return [context](const http::HttpRequest& request, const http::Responder& respond) {
        const Result<GetExecution> asked = execution_in_path(request);
        if (!asked) return answer_error(respond, asked.error());
        context.queries.submit(
            ExplainExecution{asked->id, asked->workspace_id.value_or(WorkspaceId{}),
                             explain_context(context)},
            answer_with<Explanation>(respond, explanation_response));
    };
}

}  // namespace millrace::rest
