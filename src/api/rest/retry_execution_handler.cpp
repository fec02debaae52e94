#include "api/rest/audited_command.hpp"
#include "api/rest/body_reader.hpp"
#include "api/rest/enqueue_calls.hpp"
#include "api/rest/execution_calls.hpp"
#include "api/rest/handlers.hpp"
#include "api/rest/idempotency.hpp"
#include "api/rest/submit.hpp"
#include "queue/retry_execution.hpp"

namespace millrace::rest {

namespace {

struct RetryCall {
    GetExecution asked{};
    bool resumes = false;
    std::optional<std::string> key{};
};

Result<RetryCall> parse_retry_execution(const http::HttpRequest& request) {
    const Result<GetExecution> asked = execution_in_path(request);
    if (!asked) return asked.error();
    const Result<json::Value> object = parse_optional_object(request.body);
    if (!object) return object.error();
    BodyReader body(*object);
    RetryCall call{.asked = *asked, .resumes = body.flag("resume")};
    if (!body.finish()) return body.error();
    Result<std::optional<std::string>> key = idempotency_key_of(request);
    if (!key) return key.error();
    call.key = std::move(*key);
    return call;
}

json::Value asked_by_retry(const RetryExecution& command) {
    return json::Object{{"id", to_string(command.key.id.value)}, {"resume", command.resumes}};
}

void submit_retry(const Context& context, const http::Responder& respond, const Actor& actor,
                  std::optional<std::string> key, RetryExecution command) {
    const WorkspaceId workspace_id = command.key.workspace_id;
    const EnqueueAsked asked{.key = command.key, .input = command.input};
    auto once =
        idempotent(std::move(key), workspace_id,
                   audited(context, actor, workspace_id, std::move(command)), asked_by_retry);
    submit(context, respond, std::move(once),
           [&queries = context.queries, respond, asked](Result<Once<Execution>> done) {
               find_enqueued(queries, asked, std::move(done),
                             answer_with<Enqueued>(respond, accepted_response));
           });
}

}  // namespace

http::Handler retry_execution_handler(const Context& context) {
    return [context](const http::HttpRequest& request, const http::Responder& respond) {
        const Result<RetryCall> call = parse_retry_execution(request);
        if (!call) return answer_error(respond, call.error());
        const auto next = [context, respond, call = *call, actor = actor_of(request),
                           requester =
                               requested_by(request)](const Result<StoredExecution>& found) {
            if (!found) return answer_error(respond, found.error());
            RetryExecution command{
                .key = found->execution.key,
                .resumes = call.resumes,
                .instance_id = found->execution.instance_id,
                .new_id = execution_of(context.instance_ids.next()),
                .input = found->input,
                .requested_by = requester,
                .trace = respond.trace(),
            };
            submit_retry(context, respond, actor, call.key, std::move(command));
        };
        context.queries.submit(call->asked, next);
    };
}

}  // namespace millrace::rest
