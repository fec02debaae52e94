#include "store/sqlite/rows.hpp"

#include "core/instance/state_text.hpp"

namespace millrace::sqlite {

namespace {

Error corrupt(std::string_view what) {
    return {ErrorCode::internal, "A stored " + std::string(what) + " is corrupt."};
}

std::optional<std::string> optional_string(const Row& row, int column) {
    if (row.is_null(column)) return std::nullopt;
    return string_from(row, column);
}

}  // namespace

std::string string_from(const Row& row, int column) {
    return std::string(row.text(column));
}

std::optional<Instant> optional_instant(const Row& row, int column) {
    if (row.is_null(column)) return std::nullopt;
    return row.instant(column);
}

Result<Instance> instance_from(const Row& row) {
    const Result<InstanceKey> key = key_from<InstanceKey>(row);
    if (!key) return key.error();
    const std::optional<InstanceStatus> status = parse_instance_status(row.text(5));
    std::optional<InstanceState> state = parse_state_text(row.text(8));
    if (!status || !state) return corrupt("instance");
    state->trace_parent = string_from(row, 13);
    state->is_traced = !row.is_null(14);
    return Instance{
        .key = *key,
        .definition = {row.integer(2), string_from(row, 3), int32_from(row, 4)},
        .status = *status,
        .business_key = string_from(row, 6),
        .variables = Variables::from_text(string_from(row, 7)),
        .state = std::move(*state),
        .started_at = row.instant(9),
        .completed_at = optional_instant(row, 10),
        .failure_reason = optional_string(row, 11),
        .parent_id = optional_id<InstanceId>(row, 12),
        .execution_id = optional_id<ExecutionId>(row, 15),
    };
}

Result<Job> job_from(const Row& row) {
    const Result<JobKey> key = key_from<JobKey>(row);
    if (!key) return key.error();
    const std::optional<JobState> status = parse_job_state(row.text(4));
    const bool has_lease = !row.is_null(8) && !row.is_null(9) && !row.is_null(10);
    const bool is_sound = status && has_lease == (*status == JobState::locked) &&
                          row.integer(5) >= 0 && row.integer(7) >= 0;
    if (!is_sound) return corrupt("job");
    Job job{
        .key = *key,
        .job_type = {string_from(row, 2)},
        .step_id = string_from(row, 3),
        .status = *status,
        .retries_remaining = int32_from(row, 5),
        .seq = row.integer(6),
        .lease_token = row.integer(7),
        .created_at = row.instant(11),
    };
    if (has_lease) job.lease = Lease{{string_from(row, 8)}, row.instant(9), row.instant(10)};
    if (!row.is_null(12)) job.variables = Variables::from_text(string_from(row, 12));
    if (!row.is_null(13)) job.try_timeout = Duration{row.integer(13)};
    if (!row.is_null(14)) job.trace_parent = string_from(row, 14);
    if (!row.is_null(15)) job.first_sequence = static_cast<std::uint32_t>(row.integer(15));
    return job;
}

Result<UserTask> user_task_from(const Row& row) {
    const Result<UserTaskKey> key = key_from<UserTaskKey>(row);
    if (!key) return key.error();
    const std::optional<UserTaskState> status = parse_user_task_state(row.text(6));
    if (!status) return corrupt("user task");
    return UserTask{
        .key = *key,
        .definition_id = string_from(row, 2),
        .definition_version = int32_from(row, 3),
        .step_id = string_from(row, 4),
        .name = string_from(row, 5),
        .status = *status,
        .assignee = string_from(row, 7),
        .candidate_groups = parse_group_text(row.text(8)),
        .created_at = row.instant(9),
        .claimed_at = optional_instant(row, 10),
        .ended_at = optional_instant(row, 11),
        .completed_by = string_from(row, 12),
    };
}

Result<StepExecution> step_execution_from(const Row& row) {
    const Result<StepExecutionKey> key = key_from<StepExecutionKey>(row);
    if (!key) return key.error();
    const std::optional<StepType> step_type = parse_step_type(row.text(3));
    const std::optional<StepExecutionStatus> status = parse_step_execution_status(row.text(5));
    const std::optional<JobState> job_status = parse_job_state(row.text(9));
    std::optional<std::vector<Try>> tries{std::in_place};
    if (!row.is_null(10)) tries = parse_tries_text(row.text(10));
    const bool job_is_sound = job_status.has_value() != row.is_null(9);
    if (!step_type || !status || !tries || !job_is_sound) return corrupt("step execution");
    return StepExecution{
        .key = *key,
        .step_id = string_from(row, 2),
        .step_type = *step_type,
        .attempt_number = int32_from(row, 4),
        .status = *status,
        .started_at = row.instant(6),
        .ended_at = optional_instant(row, 7),
        .failure_reason = optional_string(row, 8),
        .job_status = job_status,
        .tries = std::move(*tries),
        .completed_by = string_from(row, 11),
    };
}

Result<DefinitionRecord> definition_from(const Row& row) {
    return DefinitionRecord{
        .workspace_id = {string_from(row, 0)},
        .id = string_from(row, 1),
        .version = int32_from(row, 2),
        .name = string_from(row, 3),
        .content = string_from(row, 4),
        .canonical = string_from(row, 5),
        .uploaded_at = row.instant(6),
    };
}

Result<ApiKey> api_key_from(const Row& row) {
    const std::optional<Role> role = parse_role(row.text(2));
    const std::optional<SecretHash> hash = parse_hash_text(row.text(4));
    if (!role || !hash) return corrupt("API key");
    ApiKey key{
        .id = string_from(row, 0),
        .name = string_from(row, 1),
        .role = *role,
        .secret_hash = *hash,
        .created_at = row.instant(5),
        .expires_at = optional_instant(row, 6),
        .revoked_at = optional_instant(row, 7),
    };
    if (!row.is_null(3)) key.workspace_id = WorkspaceId{string_from(row, 3)};
    return key;
}

Result<IdempotencyRecord> idempotency_record_from(const Row& row) {
    const auto request_hash = row.hash(3);
    if (!request_hash) return corrupt("idempotency key");
    return IdempotencyRecord{
        .key = {{string_from(row, 0)}, string_from(row, 1), string_from(row, 2)},
        .request_hash = *request_hash,
        .instance_id = optional_id<InstanceId>(row, 4),
        .created_at = row.instant(5),
    };
}

Result<AuditEntry> audit_entry_from(const Row& row) {
    const Result<AuditKey> key = key_from<AuditKey>(row);
    if (!key) return key.error();
    const std::optional<AuditKind> kind = parse_audit_kind(row.text(3));
    if (!kind) return corrupt("audit entry");
    AuditEntry entry{
        .key = *key,
        .at = row.instant(2),
        .kind = *kind,
        .actor = {string_from(row, 4), string_from(row, 5), string_from(row, 6),
                  string_from(row, 7)},
        .instance_id = optional_id<InstanceId>(row, 8),
        .subject = string_from(row, 9),
        .details = string_from(row, 10),
    };
    restore_instance_id(entry);
    return entry;
}

}  // namespace millrace::sqlite
