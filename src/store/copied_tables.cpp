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
                                                        {"traced", int64}});

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
                                                   {"trace_parent", text}});

constexpr auto kTables = std::to_array<CopiedTable>({{"definition", 1, kDefinition},
                                                     {"api_key", 1, kApiKey},
                                                     {"idempotency_key", 3, kIdempotencyKey},
                                                     {"audit_entry", 2, kAuditEntry},
                                                     {"step_execution", 2, kStepExecution},
                                                     {"user_task", 2, kUserTask},
                                                     {"instance", 2, kInstance},
                                                     {"timer", 2, kTimer},
                                                     {"job", 2, kJob}});

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
