#include "api/rest/execution_json.hpp"

#include "api/rest/json_fields.hpp"
#include "api/rest/wire_json.hpp"
#include "base/json/write.hpp"

namespace millrace::rest {

namespace {

// Of whom and what, without the brace that ends the object.
void begin_execution(std::string& out, const Execution& execution) {
    out += R"({"id":)";
    append_id(out, execution.key.id.value);
    append_text(out, "workspaceId", execution.key.workspace_id.value);
    append_text(out, "definitionId", execution.definition.id);
    append_integer(out, "definitionVersion", execution.definition.version);
    append_text(out, "queueStatus", to_string(execution.queue_status));
    append_text(out, "status", to_string(execution_status(execution.queue_status)));
}

void append_error(std::string& out, const Execution& execution) {
    if (execution.error_reason.empty() && execution.error_message.empty()) return;
    append_key(out, "error");
    std::string members;
    append_unless_empty(members, "reason", execution.error_reason);
    append_unless_empty(members, "message", execution.error_message);
    out.append("{").append(members, 1).append("}");
}

// Where it runs, and under which names. A native run is an instance: the last one of its chain.
void append_run(std::string& out, const Execution& execution) {
    append_text(out, "executor", to_string(execution.executor));
    if (execution.executor != ExecutorKind::native) {
        append_text(out, "workflowId", workflow_id(execution.key));
        append_unless_empty(out, "runId", execution.run_id);
    } else if (execution.instance_id) {
        append_id(out, "runId", execution.instance_id->value);
    }
}

void end_execution(std::string& out, const Execution& execution) {
    append_error(out, execution);
    append_integer(out, "priority", execution.priority);
    append_if_set(out, "notBefore", execution.not_before);
    append_if_set(out, "deadline", execution.deadline);
    append_unless_empty(out, "concurrencyKey", execution.concurrency_key);
    append_unless_empty(out, "requestedBy", execution.requested_by);
    append_instant(out, "createdAt", execution.created_at);
    append_if_set(out, "claimedAt", execution.claimed_at);
    append_if_set(out, "dispatchedAt", execution.dispatched_at);
    append_if_set(out, "startedAt", execution.started_at);
    append_if_set(out, "completedAt", execution.completed_at);
    append_integer(out, "attemptCount", execution.attempt_count);
    append_integer(out, "deferrals", execution.deferrals);
    append_integer(out, "recoveries", execution.recoveries);
    append_if_set(out, "nextAttemptAt", execution.next_attempt_at);
    append_unless_empty(out, "lastError", execution.last_error);
    append_run(out, execution);
    append_if_set(out, "cancelRequestedAt", execution.cancel_requested_at);
    if (execution.retry_of) append_id(out, "retryOf", execution.retry_of->value);
    if (execution.retried_by) append_id(out, "retriedBy", execution.retried_by->value);
    out += '}';
}

}  // namespace

void append_execution(std::string& out, const Execution& execution) {
    begin_execution(out, execution);
    end_execution(out, execution);
}

void append_stored_execution(std::string& out, const StoredExecution& stored) {
    out.reserve(out.size() + stored.input.text().size() + stored.result.size() + 900);
    begin_execution(out, stored.execution);
    append_key(out, "input");
    out += stored.input.text();
    if (!stored.result.empty()) {
        append_key(out, "result");
        out += stored.result;
    }
    end_execution(out, stored.execution);
}

std::string location_of(ExecutionId id) {
    return "/v1/executions/" + to_string(id.value);
}

void append_dead_letter_group(std::string& out, const DeadLetterGroup& group) {
    out += R"({"definitionId":)";
    json::append_string(out, group.definition_id);
    append_unless_empty(out, "reason", group.reason);
    append_unless_empty(out, "message", group.message);
    append_integer(out, "count", group.count);
    append_instant(out, "firstAt", group.first_at);
    append_instant(out, "lastAt", group.last_at);
    append_id(out, "latestId", group.latest.value);
    out += '}';
}

}  // namespace millrace::rest
