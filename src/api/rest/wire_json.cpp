#include "api/rest/wire_json.hpp"

#include "api/rest/job_json.hpp"
#include "api/rest/json_fields.hpp"
#include "base/check.hpp"
#include "base/json/write.hpp"
#include "base/time_text.hpp"

namespace millrace::rest {

namespace {

void append_current_step_ids(std::string& out, const Instance& instance) {
    out += R"(,"currentStepIds":[)";
    for (const std::string& id : current_step_ids(instance)) {
        if (out.back() != '[') out += ',';
        json::append_string(out, id);
    }
    out += ']';
}

void append_job_of_step(std::string& out, const StepExecution& execution) {
    append_id(out, "jobId", job_of(execution.key.id).value);
    if (execution.job_status) append_text(out, "jobStatus", to_string(*execution.job_status));
    append_tries(out, execution.tries);
}

enum class Shown { with_variables, without_variables };

void append_instance(std::string& out, const Instance& instance, Shown shown) {
    out += R"({"id":)";
    append_id(out, instance.key.id.value);
    append_text(out, "definitionId", instance.definition.id);
    append_integer(out, "definitionVersion", instance.definition.version);
    append_text(out, "status", to_string(instance.status));
    append_current_step_ids(out, instance);
    if (shown == Shown::with_variables) {
        append_key(out, "variables");
        out += instance.variables.text();
    }
    append_instant(out, "startedAt", instance.started_at);
    if (instance.completed_at) append_instant(out, "completedAt", *instance.completed_at);
    if (instance.failure_reason) append_text(out, "failureReason", *instance.failure_reason);
    if (!instance.business_key.empty()) append_text(out, "businessKey", instance.business_key);
    if (instance.parent_id) append_id(out, "parentId", instance.parent_id->value);
    if (!instance.state.chain_failure.empty()) {
        append_text(out, "chainFailure", instance.state.chain_failure);
    }
    if (instance.state.is_suspended) out += R"(,"suspended":true)";
    append_integer(out, "variablesVersion", instance.state.variables_version);
    out += '}';
}

}  // namespace

void append_time(std::string& out, Instant at) {
    out += '"';
    append_time_text(out, at);
    out += '"';
}

void append_id(std::string& out, Id128 id) {
    out.append(1, '"').append(to_string(id)).append(1, '"');
}

void append_definition_summary(std::string& out, const DefinitionSummary& definition) {
    out += R"({"id":)";
    json::append_string(out, definition.id);
    append_integer(out, "version", definition.version);
    append_text(out, "name", definition.name);
    append_instant(out, "uploadedAt", definition.uploaded_at);
    out += '}';
}

void append_instance(std::string& out, const Instance& instance) {
    out.reserve(out.size() + instance.variables.text().size() + 320);
    append_instance(out, instance, Shown::with_variables);
}

void append_instance_state(std::string& out, const Instance& instance) {
    append_instance(out, instance, Shown::without_variables);
}

void append_step_execution(std::string& out, const StepExecution& execution) {
    out += R"({"id":)";
    append_id(out, execution.key.id.value);
    append_id(out, "instanceId", instance_of(execution.key.id).value);
    append_text(out, "stepId", execution.step_id);
    append_text(out, "stepType", to_string(execution.step_type));
    append_integer(out, "attemptNumber", execution.attempt_number);
    append_text(out, "status", to_string(execution.status));
    append_instant(out, "startedAt", execution.started_at);
    append_key(out, "endedAt");
    if (execution.ended_at) {
        append_time(out, *execution.ended_at);
    } else {
        out += "null";
    }
    append_key(out, "failureReason");
    if (execution.failure_reason) {
        json::append_string(out, *execution.failure_reason);
    } else {
        out += "null";
    }
    if (execution.step_type == StepType::service_task) append_job_of_step(out, execution);
    if (execution.step_type == StepType::user_task) {
        append_id(out, "userTaskId", user_task_of(execution.key.id).value);
    }
    if (!execution.completed_by.empty()) append_text(out, "completedBy", execution.completed_by);
    out += '}';
}

void append_job(std::string& out, const Job& job, const Variables& variables) {
    MILLRACE_CHECK(job.lease.has_value());
    out.reserve(out.size() + variables.text().size() + 480);
    out += R"({"id":)";
    append_id(out, job.key.id.value);
    append_text(out, "workspaceId", job.key.workspace_id.value);
    append_id(out, "instanceId", instance_of(job.key.id).value);
    append_id(out, "stepExecutionId", step_execution_of(job.key.id).value);
    append_text(out, "stepId", job.step_id);
    append_text(out, "jobType", job.job_type.value);
    append_text(out, "status", to_string(job.status));
    append_text(out, "workerId", job.lease->worker_id.value);
    append_integer(out, "leaseToken", job.lease_token);
    append_instant(out, "lockedAt", job.lease->locked_at);
    append_instant(out, "lockExpiresAt", job.lease->lock_expires_at);
    append_integer(out, "retriesRemaining", job.retries_remaining);
    append_integer(out, "attempt", job.lease_token);
    append_id(out, "idempotencyKey", idempotency_key_of(job));
    append_key(out, "variables");
    out += variables.text();
    append_instant(out, "createdAt", job.created_at);
    if (!job.trace_parent.empty()) append_text(out, "traceparent", job.trace_parent);
    out += '}';
}

}  // namespace millrace::rest
