#include "api/rest/answer.hpp"
#include "api/rest/audited_command.hpp"
#include "api/rest/body_reader.hpp"
#include "api/rest/enqueue_calls.hpp"
#include "api/rest/handlers.hpp"
#include "api/rest/idempotency.hpp"
#include "api/rest/submit.hpp"
#include "api/rest/workspace.hpp"

namespace millrace::rest {

namespace {

Result<EnqueueExecution> parse_enqueue_execution(const http::HttpRequest& request) {
    const Result<WorkspaceId> workspace_id = workspace_of(request);
    if (!workspace_id) return workspace_id.error();
    const Result<json::Value> object = parse_object(request.body);
    if (!object) return object.error();
    BodyReader body(*object);
    return parse_enqueue(body, *workspace_id);
}

}  // namespace

http::Handler enqueue_execution_handler(const Context& context) {
    return [context](const http::HttpRequest& request, const http::Responder& respond) {
        Result<EnqueueExecution> command = parse_enqueue_execution(request);
        if (!command) return answer_error(respond, command.error());
        const Result<std::optional<std::string>> key = idempotency_key_of(request);
        if (!key) return answer_error(respond, key.error());

        command->key.id = execution_of(context.instance_ids.next());
        command->requested_by = requested_by(request);
        command->trace = respond.trace();
        const EnqueueAsked asked{.key = command->key,
                                 .definition_id = command->definition_id,
                                 .input = command->input,
                                 .is_of_cluster = is_of_cluster(request)};
        const WorkspaceId& workspace_id = asked.key.workspace_id;
        auto once = idempotent(*key, workspace_id,
                               audited(context, request, workspace_id, std::move(*command)),
                               asked_by_enqueue);
        submit(context, respond, std::move(once),
               [&queries = context.queries, respond, asked](Result<Once<Execution>> done) {
                   find_enqueued(queries, asked, std::move(done),
                                 answer_with<Enqueued>(respond, accepted_response));
               });
    };
}

}  // namespace millrace::rest
