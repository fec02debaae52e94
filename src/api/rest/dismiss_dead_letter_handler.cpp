#include "api/rest/audited_command.hpp"
#include "api/rest/execution_calls.hpp"
#include "api/rest/handlers.hpp"
#include "api/rest/submit.hpp"
#include "queue/dismiss_dead_letter.hpp"

namespace millrace::rest {

http::Handler dismiss_dead_letter_handler(const Context& context) {
    return [context](const http::HttpRequest& request, const http::Responder& respond) {
        const Result<GetExecution> asked = execution_in_path(request);
        if (!asked) return answer_error(respond, asked.error());
        find_execution_key(
            context, respond, *asked,
            [context, respond, actor = actor_of(request)](const ExecutionKey& key) {
                submit(context, respond,
                       audited(context, actor, key.workspace_id, DismissDeadLetter{key}),
                       answer_with<Execution>(respond, execution_response));
            });
    };
}

}  // namespace millrace::rest
