#include "api/rest/execution_calls.hpp"
#include "api/rest/handlers.hpp"
#include "queue/get_execution.hpp"

namespace millrace::rest {

http::Handler get_execution_handler(const Context& context) {
    return [&queries = context.queries](const http::HttpRequest& request,
                                        const http::Responder& respond) {
        const Result<GetExecution> query = execution_in_path(request);
        if (!query) return answer_error(respond, query.error());
        queries.submit(*query, answer_with<StoredExecution>(respond, stored_execution_response));
    };
}

}  // namespace millrace::rest
