#include "api/rest/execution_calls.hpp"
#include "api/rest/handlers.hpp"
#include "core/queue/transitions.hpp"

namespace millrace::rest {

namespace {

Error no_dead_letter(ExecutionId id) {
    return {ErrorCode::not_found, "dead letter \"" + to_string(id.value) + "\" not found"};
}

}  // namespace

http::Handler get_dead_letter_handler(const Context& context) {
    return [&queries = context.queries](const http::HttpRequest& request,
                                        const http::Responder& respond) {
        const Result<GetExecution> query = execution_in_path(request);
        if (!query) return answer_error(respond, query.error());
        queries.submit(*query, [respond](const Result<StoredExecution>& found) {
            if (!found) return answer_error(respond, found.error());
            const Execution& execution = found->execution;
            if (!is_dead_letter(execution)) {
                return answer_error(respond, no_dead_letter(execution.key.id));
            }
            respond(stored_execution_response(*found));
        });
    };
}

}  // namespace millrace::rest
