#include "api/rest/enqueue_calls.hpp"

#include "api/rest/answer.hpp"
#include "api/rest/body_reader.hpp"
#include "api/rest/execution_json.hpp"
#include "api/rest/idempotency.hpp"
#include "api/rest/request_time.hpp"
#include "api/rest/start_calls.hpp"
#include "core/access/principal.hpp"
#include "core/queue/rank.hpp"
#include "queue/find_foreign_definition.hpp"
#include "queue/get_execution.hpp"

namespace millrace::rest {

namespace {

std::int32_t priority_of(BodyReader& body) {
    const std::int64_t priority = body.integer("priority").value_or(0);
    if (priority < 0 || priority > kPriorityMax) {
        body.refuse("priority", "priority must be between 0 and " + std::to_string(kPriorityMax));
        return 0;
    }
    return static_cast<std::int32_t>(priority);
}

// Who knows instances calls it variables, as they do.
json::Value input_in(BodyReader& body) {
    json::Value input = body.object("input");
    json::Value variables = body.object("variables");
    if (input.is_null()) return variables;
    if (!variables.is_null() && variables != input) {
        body.refuse("variables", "variables is another name of input: give one, or both the same");
    }
    return input;
}

json::Value time_or_null(const std::optional<Instant>& at) {
    if (!at) return nullptr;
    return at->time_since_epoch().count();
}

// Under its key nothing is enqueued a second time.
Error removed_since(const ExecutionId& id) {
    return {ErrorCode::not_found, "Expected the execution that this key has enqueued, but " +
                                      to_string(id.value) + " has ended and was removed since."};
}

void find_replayed(QueryQueue& queries, const EnqueueAsked& asked, ExecutionId id,
                   std::function<void(const Result<Enqueued>&)> done) {
    queries.submit(GetExecution{id, asked.key.workspace_id},
                   [id, done = std::move(done)](Result<StoredExecution> found) {
                       const bool is_gone = !found && found.error().code == ErrorCode::not_found;
                       if (!found) return done(is_gone ? removed_since(id) : found.error());
                       done(Enqueued{.stored = std::move(*found), .is_replayed = true});
                   });
}

// What the command could not know: it locks rows of one workspace alone.
void explain_refusal(QueryQueue& queries, const EnqueueAsked& asked, Error error,
                     std::function<void(const Result<Enqueued>&)> done) {
    if (error.code != ErrorCode::not_found || !asked.is_of_cluster) return done(error);
    queries.submit(
        FindForeignDefinition{asked.key.workspace_id, asked.definition_id},
        [workspace = asked.key.workspace_id.value, id = asked.definition_id,
         error = std::move(error), done = std::move(done)](const Result<ForeignDefinition>& found) {
            const bool is_foreign = found && found->is_foreign;
            done(is_foreign ? Error{ErrorCode::permission_denied,
                                    "Expected a definition of the workspace " + workspace +
                                        ", but " + id + " belongs to another one.",
                                    {{"definitionId", "belongs to another workspace"}}}
                            : error);
        });
}

}  // namespace

Result<EnqueueExecution> parse_enqueue(BodyReader& body, const WorkspaceId& workspace_id) {
    EnqueueExecution command{.key = {.workspace_id = workspace_id}};
    command.definition_id = body.name("definitionId");
    command.definition_version = version_in(body);
    command.priority = priority_of(body);
    command.not_before = time_field(body, "notBefore");
    command.deadline = time_field(body, "deadline");
    command.concurrency_key = body.name("concurrencyKey");
    const json::Value input = input_in(body);
    if (command.definition_id.empty()) body.refuse("definitionId", "definitionId is required");
    if (!body.finish()) return body.error();

    if (!input.is_object()) return command;
    Result<Variables> kept = Variables::from_value(input);
    if (!kept) return Error{kept.error().code, "input: " + kept.error().detail};
    command.input = std::move(*kept);
    return command;
}

json::Value asked_by_enqueue(const EnqueueExecution& command) {
    return json::Object{{"definitionId", command.definition_id},
                        {"definitionVersion", command.definition_version},
                        {"input", value_of(command.input)},
                        {"priority", command.priority},
                        {"notBefore", time_or_null(command.not_before)},
                        {"deadline", time_or_null(command.deadline)},
                        {"concurrencyKey", command.concurrency_key}};
}

std::string requested_by(const http::HttpRequest& request) {
    return request.principal == nullptr ? std::string() : request.principal->name;
}

http::HttpResponse accepted_response(const Enqueued& enqueued) {
    std::string body;
    append_stored_execution(body, enqueued.stored);
    http::HttpResponse response =
        marked_if_replayed(json_response(202, std::move(body)), enqueued.is_replayed);
    response.headers.emplace_back("Location", location_of(enqueued.stored.execution.key.id));
    return response;
}

void find_enqueued(QueryQueue& queries, EnqueueAsked asked, Result<Once<Execution>> answer,
                   std::function<void(const Result<Enqueued>&)> done) {
    if (!answer) return explain_refusal(queries, asked, answer.error(), std::move(done));
    if (answer->answer) {
        return done(Enqueued{
            .stored = {.execution = std::move(*answer->answer), .input = std::move(asked.input)}});
    }
    if (!answer->instance_id) return done(names_nothing());
    find_replayed(queries, asked, execution_of(*answer->instance_id), std::move(done));
}

}  // namespace millrace::rest
