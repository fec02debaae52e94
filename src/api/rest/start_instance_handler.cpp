#include "api/rest/answer.hpp"
#include "api/rest/audited_command.hpp"
#include "api/rest/body_reader.hpp"
#include "api/rest/handlers.hpp"
#include "api/rest/idempotency.hpp"
#include "api/rest/start_calls.hpp"
#include "api/rest/submit.hpp"
#include "api/rest/wire_json.hpp"
#include "api/rest/workspace.hpp"

namespace millrace::rest {

namespace {

Result<StartInstance> parse_start_instance(const http::HttpRequest& request, UnreadFields& unread) {
    const Result<WorkspaceId> workspace_id = workspace_of(request);
    if (!workspace_id) return workspace_id.error();
    const Result<json::Value> object = parse_object(request.body);
    if (!object) return object.error();
    BodyReader body(*object);
    return parse_start(body, *workspace_id, unread);
}

http::HttpResponse started_response(const Started& started) {
    std::string body;
    append_instance(body, started.instance);
    return marked_if_replayed(json_response(201, std::move(body)), started.is_replayed);
}

}  // namespace

http::Handler start_instance_handler(const Context& context) {
    return [context](const http::HttpRequest& request, const http::Responder& answer) {
        UnreadFields unread(request);
        Result<StartInstance> command = parse_start_instance(request, unread);
        const http::Responder respond = unread.told_by(answer);
        if (!command) return answer_error(respond, command.error());
        const Result<std::optional<std::string>> key = idempotency_key_of(request);
        if (!key) return answer_error(respond, key.error());

        command->key.id = context.instance_ids.next();
        command->trace = respond.trace();
        const WorkspaceId workspace_id = command->key.workspace_id;
        auto once =
            idempotent(*key, workspace_id, audited_start(context, request, std::move(*command)),
                       asked_by_start);
        submit(context, respond, std::move(once),
               [&queries = context.queries, respond, workspace_id](Result<Once<Instance>> done) {
                   find_started(queries, workspace_id, std::move(done),
                                answer_with<Started>(respond, started_response));
               });
    };
}

}  // namespace millrace::rest
