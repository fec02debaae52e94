#include "api/rest/answer.hpp"
#include "api/rest/handlers.hpp"
#include "api/rest/workspace.hpp"
#include "api/rest/workspace_json.hpp"
#include "queue/get_queue.hpp"

namespace millrace::rest {

http::Handler get_queue_handler(const Context& context) {
    return [context](const http::HttpRequest& request, const http::Responder& respond) {
        const Result<WorkspaceId> id = workspace_of(request);
        if (!id) return answer_error(respond, id.error());
        const auto make = [context](const QueueView& view) {
            return queue_response(view, context);
        };
        context.queries.submit(GetQueue{*id}, answer_with<QueueView>(respond, make));
    };
}

}  // namespace millrace::rest
