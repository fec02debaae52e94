#pragma once

#include "core/instance/instance.hpp"
#include "store/due.hpp"
#include "store/effects.hpp"
#include "store/sqlite/connection.hpp"

namespace millrace::sqlite {

// Rows as the statements list their columns. internal: the row breaks an invariant.
Result<Instance> instance_from(const Row& row);
Result<Job> job_from(const Row& row);
Result<UserTask> user_task_from(const Row& row);
Result<StepExecution> step_execution_from(const Row& row);
Result<DefinitionRecord> definition_from(const Row& row);
Result<ApiKey> api_key_from(const Row& row);
Result<IdempotencyRecord> idempotency_record_from(const Row& row);
Result<AuditEntry> audit_entry_from(const Row& row);

// Single columns; empty for null.
std::string string_from(const Row& row, int column);
inline std::int32_t int32_from(const Row& row, int column) {
    return static_cast<std::int32_t>(row.integer(column));
}
std::optional<Instant> optional_instant(const Row& row, int column);

// A row of one column, workspace_id.
inline Result<WorkspaceId> workspace_id_from(const Row& row) {
    return WorkspaceId{std::string(row.text(0))};
}

// A row of two columns, workspace_id and id.
template <class Key>
Result<Key> key_from(const Row& row) {
    const std::optional<Id128> id = row.id(1);
    if (!id) return Error{ErrorCode::internal, "A stored id is corrupt."};
    return Key{.id = {*id}, .workspace_id = {std::string(row.text(0))}};
}

// The same, and since when it is due.
template <class Key>
Result<Due<Key>> due_from(const Row& row) {
    Result<Key> key = key_from<Key>(row);
    if (!key) return key.error();
    return Due<Key>{.key = std::move(*key), .at = row.instant(2)};
}

// A column that may be null, or an id of that kind.
template <class Id>
std::optional<Id> optional_id(const Row& row, int column) {
    const std::optional<Id128> id = row.id(column);
    if (!id) return std::nullopt;
    return Id{*id};
}

}  // namespace millrace::sqlite
