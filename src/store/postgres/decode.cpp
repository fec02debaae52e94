#include "store/postgres/decode.hpp"

#include "core/instance/state_text.hpp"

namespace millrace::postgres {

namespace {

template <class Key>
Error corrupt(std::string_view kind, const Key& key) {
    return {ErrorCode::internal,
            "The row of " + std::string(kind) + " " + to_string(key.id.value) + " is corrupt."};
}

std::optional<std::string> to_owned(std::optional<std::string_view> text) {
    if (!text) return std::nullopt;
    return std::string(*text);
}

std::optional<Lease> decode_lease(Fields& fields) {
    const std::optional<std::string_view> worker_id = fields.optional_text();
    const std::optional<Instant> locked_at = fields.optional_instant();
    const std::optional<Instant> lock_expires_at = fields.optional_instant();
    if (!worker_id || !locked_at || !lock_expires_at) return std::nullopt;
    return Lease{.worker_id = {std::string(*worker_id)},
                 .locked_at = *locked_at,
                 .lock_expires_at = *lock_expires_at};
}

}  // namespace

Result<Instance> decode_instance(Fields& fields) {
    Instance instance;
    instance.key.workspace_id.value = fields.text();
    instance.key.id.value = fields.id();
    instance.definition.row_id = fields.int64();
    instance.definition.id = fields.text();
    instance.definition.version = fields.int32();
    const std::optional<InstanceStatus> status = parse_instance_status(fields.text());
    instance.business_key = fields.optional_text().value_or("");
    instance.variables = Variables::from_text(std::string(fields.text()));
    std::optional<InstanceState> state = parse_state_text(fields.text());
    instance.started_at = fields.instant();
    instance.completed_at = fields.optional_instant();
    instance.failure_reason = to_owned(fields.optional_text());
    if (const std::optional<Id128> parent = fields.optional_id()) instance.parent_id = {*parent};
    const std::optional<std::string_view> trace_parent = fields.optional_text();
    const bool is_traced = fields.optional_int64().has_value();
    if (const std::optional<Id128> id = fields.optional_id()) instance.execution_id = {*id};

    if (!status || !state || fields.is_corrupt()) return corrupt("instance", instance.key);
    instance.status = *status;
    instance.state = std::move(*state);
    instance.state.trace_parent = trace_parent.value_or("");
    instance.state.is_traced = is_traced;
    return instance;
}

Result<Job> decode_job(Fields& fields) {
    Job job;
    job.key.workspace_id.value = fields.text();
    job.key.id.value = fields.id();
    job.job_type.value = fields.text();
    job.step_id = fields.text();
    const std::optional<JobState> status = parse_job_state(fields.text());
    job.retries_remaining = fields.int32();
    job.seq = fields.int64();
    job.lease_token = fields.int64();
    job.lease = decode_lease(fields);
    job.created_at = fields.instant();
    if (const auto variables = fields.optional_text()) {
        job.variables = Variables::from_text(std::string(*variables));
    }
    if (const auto timeout = fields.optional_int64()) job.try_timeout = Duration{*timeout};
    job.trace_parent = fields.optional_text().value_or("");
    job.first_sequence = static_cast<std::uint32_t>(fields.optional_int64().value_or(0));

    if (!status || fields.is_corrupt()) return corrupt("job", job.key);
    job.status = *status;
    if ((job.status == JobState::locked) != job.lease.has_value()) return corrupt("job", job.key);
    return job;
}

Result<UserTask> decode_user_task(Fields& fields) {
    UserTask task;
    task.key.workspace_id.value = fields.text();
    task.key.id.value = fields.id();
    task.definition_id = fields.text();
    task.definition_version = fields.int32();
    task.step_id = fields.text();
    task.name = fields.text();
    const std::optional<UserTaskState> status = parse_user_task_state(fields.text());
    task.assignee = fields.optional_text().value_or("");
    task.candidate_groups = parse_group_text(fields.optional_text().value_or(""));
    task.created_at = fields.instant();
    task.claimed_at = fields.optional_instant();
    task.ended_at = fields.optional_instant();
    task.completed_by = fields.optional_text().value_or("");

    if (!status || fields.is_corrupt()) return corrupt("user task", task.key);
    task.status = *status;
    return task;
}

Result<StepExecution> decode_step_execution(Fields& fields) {
    StepExecution row;
    row.key.workspace_id.value = fields.text();
    row.key.id.value = fields.id();
    row.step_id = fields.text();
    const std::optional<StepType> step_type = parse_step_type(fields.text());
    row.attempt_number = fields.int32();
    const auto status = parse_step_execution_status(fields.text());
    row.started_at = fields.instant();
    row.ended_at = fields.optional_instant();
    row.failure_reason = to_owned(fields.optional_text());
    const std::optional<std::string_view> job_status = fields.optional_text();
    const std::optional<std::string_view> tries_text = fields.optional_text();
    row.completed_by = fields.optional_text().value_or("");

    auto tries = tries_text ? parse_tries_text(*tries_text) : std::vector<Try>{};
    if (job_status) row.job_status = parse_job_state(*job_status);
    const bool is_sound =
        step_type && status && tries && row.job_status.has_value() == job_status.has_value();
    if (!is_sound || fields.is_corrupt()) return corrupt("step execution", row.key);
    row.step_type = *step_type;
    row.status = *status;
    row.tries = std::move(*tries);
    return row;
}

Result<ApiKey> decode_api_key(Fields& fields) {
    ApiKey key;
    key.id = fields.text();
    key.name = fields.text();
    const std::optional<Role> role = parse_role(fields.text());
    if (const auto workspace = fields.optional_text()) {
        key.workspace_id = WorkspaceId{std::string(*workspace)};
    }
    const std::optional<SecretHash> hash = parse_hash_text(fields.text());
    key.created_at = fields.instant();
    key.expires_at = fields.optional_instant();
    key.revoked_at = fields.optional_instant();

    if (!role || !hash || fields.is_corrupt()) {
        return Error{ErrorCode::internal, "The row of API key " + key.id + " is corrupt."};
    }
    key.role = *role;
    key.secret_hash = *hash;
    return key;
}

Result<IdempotencyRecord> decode_idempotency_record(Fields& fields) {
    IdempotencyRecord record;
    record.key.workspace_id.value = fields.text();
    record.key.operation = fields.text();
    record.key.key = fields.text();
    record.request_hash = fields.hash();
    if (const std::optional<Id128> id = fields.optional_id()) record.instance_id = {*id};
    record.created_at = fields.instant();
    if (fields.is_corrupt()) {
        return Error{ErrorCode::internal, "The row of an idempotency key is corrupt."};
    }
    return record;
}

Result<AuditEntry> decode_audit_entry(Fields& fields) {
    AuditEntry entry;
    entry.key.workspace_id.value = fields.text();
    entry.key.id.value = fields.id();
    entry.at = fields.instant();
    const std::optional<AuditKind> kind = parse_audit_kind(fields.text());
    entry.actor.key_id = fields.optional_text().value_or("");
    entry.actor.key_name = fields.optional_text().value_or("");
    entry.actor.remote_address = fields.optional_text().value_or("");
    entry.actor.request_id = fields.optional_text().value_or("");
    if (const std::optional<Id128> id = fields.optional_id()) entry.instance_id = {*id};
    entry.subject = fields.optional_text().value_or("");
    entry.details = fields.optional_text().value_or("");

    if (!kind || fields.is_corrupt()) return corrupt("audit entry", entry.key);
    entry.kind = *kind;
    restore_instance_id(entry);
    return entry;
}

InstanceKey decode_instance_key(Fields& fields) {
    InstanceKey key;
    key.workspace_id.value = fields.text();
    key.id.value = fields.id();
    return key;
}

}  // namespace millrace::postgres
