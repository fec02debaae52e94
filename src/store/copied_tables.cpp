#include "store/copied_tables.hpp"

#include <array>

namespace millrace {

namespace {

using enum CellType;

constexpr auto kDefinition = std::to_array<CopiedColumn>({{"row_id", int64},
                                                          {"workspace_id", text},
                                                          {"id", text},
                                                          {"version", int32},
                                                          {"name", text},
                                                          {"content", text},
                                                          {"canonical", text},
                                                          {"uploaded_at", instant}});

constexpr auto kApiKey = std::to_array<CopiedColumn>({{"id", text},
                                                      {"name", text},
                                                      {"role", text},
                                                      {"workspace_id", text},
                                                      {"secret_hash", text},
                                                      {"created_at", instant},
                                                      {"expires_at", instant},
                                                      {"revoked_at", instant}});

constexpr auto kIdempotencyKey = std::to_array<CopiedColumn>({{"workspace_id", text},
                                                              {"operation", text},
                                                              {"key", text},
                                                              {"request_hash", bytes},
                                                              {"instance_id", id},
                                                              {"created_at", instant}});

constexpr auto kAuditEntry = std::to_array<CopiedColumn>({{"workspace_id", text},
                                                          {"id", id},
                                                          {"at", instant},
                                                          {"kind", text},
                                                          {"key_id", text},
                                                          {"key_name", text},
                                                          {"remote_address", text},
                                                          {"request_id", text},
                                                          {"instance_id", id},
                                                          {"subject", text},
                                                          {"details", text}});

constexpr auto kStepExecution = std::to_array<CopiedColumn>({{"workspace_id", text},
                                                             {"id", id},
                                                             {"step_id", text},
                                                             {"step_type", text},
                                                             {"attempt_number", int32},
                                                             {"status", text},
                                                             {"started_at", instant},
                                                             {"ended_at", instant},
                                                             {"failure_reason", text},
                                                             {"job_status", text},
                                                             {"tries", text},
                                                             {"completed_by", text}});

constexpr auto kUserTask = std::to_array<CopiedColumn>({{"workspace_id", text},
                                                        {"id", id},
                                                        {"step_id", text},
                                                        {"created_at", instant},
                                                        {"definition_id", text},
                                                        {"definition_version", int32},
                                                        {"name", text},
                                                        {"status", text},
                                                        {"assignee", text},
                                                        {"candidate_groups", text},
                                                        {"claimed_at", instant},
                                                        {"ended_at", instant},
                                                        {"completed_by", text}});

constexpr auto kInstance = std::to_array<CopiedColumn>({{"workspace_id", text},
                                                        {"id", id},
                                                        {"definition_row_id", int64},
                                                        {"definition_id", text},
                                                        {"definition_version", int32},
                                                        {"status", text},
                                                        {"business_key", text},
                                                        {"variables", text},
                                                        {"state", text},
                                                        {"started_at", instant},
                                                        {"completed_at", instant},
                                                        {"failure_reason", text},
                                                        {"parent_id", id},
                                                        {"trace_parent", text},
                                                        {"traced", int64},
                                                        {"execution_id", id}});

constexpr auto kTimer =
    std::to_array<CopiedColumn>({{"workspace_id", text}, {"id", id}, {"fire_at", instant}});

constexpr auto kJob = std::to_array<CopiedColumn>({{"workspace_id", text},
                                                   {"id", id},
                                                   {"instance_id", id},
                                                   {"job_type", text},
                                                   {"step_id", text},
                                                   {"status", text},
                                                   {"retries_remaining", int32},
                                                   {"seq", int64},
                                                   {"lease_token", int64},
                                                   {"worker_id", text},
                                                   {"locked_at", instant},
                                                   {"lock_expires_at", instant},
                                                   {"created_at", instant},
                                                   {"variables", text},
                                                   {"try_timeout", int64},
                                                   {"trace_parent", text},
                                                   {"first_sequence", int64}});

constexpr auto kWorkspace = std::to_array<CopiedColumn>({{"id", text},
                                                         {"name", text},
                                                         {"plan", text},
                                                         {"max_active", int32},
                                                         {"max_per_key", int32},
                                                         {"rate_per_second", real},
                                                         {"max_attempts", int32},
                                                         {"weight", int32},
                                                         {"is_paused", int32},
                                                         {"created_at", instant},
                                                         {"changed_at", instant}});

constexpr auto kExecution = std::to_array<CopiedColumn>({{"id", id},
                                                         {"workspace_id", text},
                                                         {"definition_row_id", int64},
                                                         {"definition_id", text},
                                                         {"definition_version", int32},
                                                         {"queue_status", text},
                                                         {"place", text},
                                                         {"rank_at", instant},
                                                         {"due_at", instant},
                                                         {"priority", int32},
                                                         {"not_before", instant},
                                                         {"deadline", instant},
                                                         {"concurrency_key", text},
                                                         {"requested_by", text},
                                                         {"created_at", instant},
                                                         {"claimed_at", instant},
                                                         {"dispatched_at", instant},
                                                         {"started_at", instant},
                                                         {"completed_at", instant},
                                                         {"attempt_count", int32},
                                                         {"deferrals", int32},
                                                         {"recoveries", int32},
                                                         {"next_attempt_at", instant},
                                                         {"last_error", text},
                                                         {"error_reason", text},
                                                         {"error_message", text},
                                                         {"error_group", text},
                                                         {"claim_token", int64},
                                                         {"claim_owner", text},
                                                         {"executor", text},
                                                         {"target", text},
                                                         {"run_id", text},
                                                         {"first_try_at", instant},
                                                         {"cancel_requested_at", instant},
                                                         {"is_forced", int32},
                                                         {"is_resuming", int32},
                                                         {"instance_id", id},
                                                         {"retry_of", id},
                                                         {"retried_by", id},
                                                         {"dismissed_at", instant},
                                                         {"trace_parent", text},
                                                         {"input", text},
                                                         {"result", text}});

constexpr auto kExecutionOpen = std::to_array<CopiedColumn>({{"id", id},
                                                             {"workspace_id", text},
                                                             {"place", text},
                                                             {"queue_status", text},
                                                             {"rank_at", instant},
                                                             {"due_at", instant},
                                                             {"deadline", instant},
                                                             {"concurrency_key", text},
                                                             {"created_at", instant}});

constexpr auto kTables = std::to_array<CopiedTable>({{"workspace", 1, kWorkspace},
                                                     {"definition", 1, kDefinition},
                                                     {"api_key", 1, kApiKey},
                                                     {"idempotency_key", 3, kIdempotencyKey},
                                                     {"audit_entry", 2, kAuditEntry},
                                                     {"step_execution", 2, kStepExecution},
                                                     {"user_task", 2, kUserTask},
                                                     {"instance", 2, kInstance},
                                                     {"execution", 2, kExecution},
                                                     {"timer", 2, kTimer},
                                                     {"job", 2, kJob},
                                                     {"execution_open", 2, kExecutionOpen}});

}  // namespace

std::span<const CopiedTable> copied_tables() {
    return kTables;
}

std::string names_of(std::span<const CopiedColumn> columns) {
    std::string names;
    for (const CopiedColumn& column : columns) {
        if (!names.empty()) names += ", ";
        names += column.name;
    }
    return names;
}

}  // namespace millrace
