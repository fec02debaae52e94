#include "store/memory/memory_write.hpp"

#include <algorithm>
#include <ranges>

#include "core/limits.hpp"
#include "store/memory/memory_queue_write.hpp"
#include "store/storable_text.hpp"

namespace millrace {

namespace {

bool storable(const std::optional<std::string>& text) {
    return !text || is_storable(*text);
}

bool storable(const Instance& row) {
    return are_storable(row.key.workspace_id.value, row.business_key, row.variables.text()) &&
           storable(row.failure_reason);
}

bool storable(const Job& row) {
    return are_storable(row.key.workspace_id.value, row.job_type.value, row.step_id) &&
           (!row.lease || is_storable(row.lease->worker_id.value)) &&
           (!row.variables || is_storable(row.variables->text()));
}

bool storable(const Timer& row) {
    return is_storable(row.key.workspace_id.value);
}

bool storable(const UserTask& row) {
    return are_storable(row.key.workspace_id.value, row.definition_id, row.step_id, row.name,
                        row.assignee, row.completed_by) &&
           std::ranges::all_of(row.candidate_groups, is_storable);
}

bool storable(const UserTaskEnd& row) {
    return is_storable(row.completed_by);
}

bool storable(const StepExecution& row) {
    return are_storable(row.key.workspace_id.value, row.step_id, row.completed_by) &&
           storable(row.failure_reason);
}

bool storable(const DefinitionRecord& row) {
    return are_storable(row.workspace_id.value, row.id, row.name, row.content, row.canonical);
}

bool storable(const ApiKey& row) {
    return are_storable(row.id, row.name) &&
           (!row.workspace_id || is_storable(row.workspace_id->value));
}

bool storable(const IdempotencyRecord& row) {
    return are_storable(row.key.workspace_id.value, row.key.operation, row.key.key);
}

bool storable(const AuditEntry& row) {
    return are_storable(row.key.workspace_id.value, row.actor.key_id, row.actor.key_name,
                        row.actor.remote_address, row.actor.request_id, row.subject, row.details);
}

bool storable(const JobVariables& row) {
    return is_storable(row.variables.text());
}

template <class Row>
bool all_storable_in(const std::vector<Row>& rows) {
    return std::ranges::all_of(rows, [](const Row& row) { return storable(row); });
}

bool all_texts_storable(const Writes& writes) {
    return all_storable_in(writes.instances_new) && all_storable_in(writes.instances_changed) &&
           all_storable_in(writes.jobs_new) && all_storable_in(writes.jobs_changed) &&
           all_storable_in(writes.job_variables) && all_storable_in(writes.timers_new) &&
           all_storable_in(writes.user_tasks_new) && all_storable_in(writes.user_tasks_changed) &&
           all_storable_in(writes.user_tasks_ended) && all_storable_in(writes.step_executions) &&
           all_storable_in(writes.definitions) && all_storable_in(writes.idempotency_records) &&
           all_storable_in(writes.audit_entries) && all_storable_in(writes.api_keys) &&
           queue_texts_storable(writes);
}

DefinitionKey key_of(const DefinitionRecord& row) {
    return {row.workspace_id, row.id, row.version};
}

std::string key_of(const ApiKey& row) {
    return row.id;
}

ExecutionKey key_of(const NewExecution& row) {
    return row.execution.key;
}

template <class Row>
auto key_of(const Row& row) {
    return row.key;
}

template <class Table, class Row>
bool none_exists(const Table& table, const std::vector<Row>& rows) {
    return std::ranges::none_of(rows, [&](const Row& row) { return table.contains(key_of(row)); });
}

bool all_new(const MemoryTables& tables, const Writes& writes) {
    return none_exists(tables.instances, writes.instances_new) &&
           none_exists(tables.jobs, writes.jobs_new) &&
           none_exists(tables.timers, writes.timers_new) &&
           none_exists(tables.user_tasks, writes.user_tasks_new) &&
           none_exists(tables.step_executions, writes.step_executions) &&
           none_exists(tables.definitions, writes.definitions) &&
           none_exists(tables.idempotency_records, writes.idempotency_records) &&
           none_exists(tables.audit_entries, writes.audit_entries) &&
           none_exists(tables.api_keys, writes.api_keys) &&
           none_exists(tables.executions, writes.executions_new);
}

void write_instances(MemoryTables& tables, const Writes& writes) {
    for (const Instance& row : writes.instances_new) {
        tables.instances.emplace(row.key, MemoryRow<Instance>{row, tables.commit_number});
    }
    for (const Instance& row : writes.instances_changed) {
        const auto found = tables.instances.find(row.key);
        if (found != tables.instances.end()) found->second = {row, tables.commit_number};
    }
}

MemoryRow<Job> placed(MemoryTables& tables, Job job) {
    if (job.status == JobState::unlocked && job.seq == 0) job.seq = ++tables.seq;
    return {std::move(job), tables.commit_number};
}

void write_jobs(MemoryTables& tables, const Writes& writes) {
    for (const Job& row : writes.jobs_new) tables.jobs.emplace(row.key, placed(tables, row));
    for (const Job& row : writes.jobs_changed) {
        const auto found = tables.jobs.find(row.key);
        if (found != tables.jobs.end()) found->second = placed(tables, row);
    }
    for (const JobVariables& row : writes.job_variables) {
        const auto found = tables.jobs.find(row.key);
        if (found == tables.jobs.end()) continue;
        found->second.row.variables = row.variables;
        found->second.commit_number = tables.commit_number;
    }
    for (const JobKey& key : writes.jobs_removed) tables.jobs.erase(key);
}

void write_user_tasks(MemoryTables& tables, const Writes& writes) {
    for (const UserTask& row : writes.user_tasks_new) tables.user_tasks.emplace(row.key, row);
    for (const UserTask& row : writes.user_tasks_changed) {
        const auto found = tables.user_tasks.find(row.key);
        if (found != tables.user_tasks.end()) found->second = row;
    }
    for (const UserTaskEnd& end : writes.user_tasks_ended) {
        const auto found = tables.user_tasks.find(end.key);
        if (found == tables.user_tasks.end()) continue;
        found->second.status = end.status;
        found->second.ended_at = end.ended_at;
        found->second.completed_by = end.completed_by;
    }
}

void write_definitions(MemoryTables& tables, const Writes& writes) {
    for (const DefinitionRecord& row : writes.definitions) {
        const std::int64_t row_id = ++tables.definition_row_id;
        tables.definitions.emplace(key_of(row), MemoryDefinition{row_id, row});
    }
}

void write_api_keys(MemoryTables& tables, const Writes& writes) {
    for (const ApiKey& row : writes.api_keys) tables.api_keys.emplace(row.id, row);
    for (const ApiKeyRevocation& row : writes.api_keys_revoked) {
        const auto found = tables.api_keys.find(row.id);
        if (found == tables.api_keys.end() || found->second.revoked_at) continue;
        found->second.revoked_at = row.revoked_at;
    }
}

// All rows of a table whose ids the instance has given out.
template <class Table>
void remove_parts(Table& table, const InstanceKey& instance) {
    std::erase_if(table, [&](const auto& entry) {
        return instance_of(entry.first.id) == instance.id &&
               entry.first.workspace_id == instance.workspace_id;
    });
}

void remove_instances(MemoryTables& tables, const Writes& writes) {
    for (const InstanceKey& key : writes.instances_removed) {
        tables.instances.erase(key);
        remove_parts(tables.step_executions, key);
        remove_parts(tables.user_tasks, key);
    }
}

// The oldest first, some at a time.
void forget_idempotency_records(MemoryTables& tables, Instant before) {
    std::vector<std::pair<Instant, IdempotencyKey>> old;
    for (const auto& [key, record] : tables.idempotency_records) {
        if (record.created_at < before) old.emplace_back(record.created_at, key);
    }
    std::ranges::sort(old);
    for (const auto& [at, key] : old | std::views::take(limits::kIdempotencyForgottenMax)) {
        tables.idempotency_records.erase(key);
    }
}

}  // namespace

Status check_writes(const MemoryTables& tables, const Writes& writes) {
    if (!all_texts_storable(writes)) {
        return Error{ErrorCode::data_refused, "A text is not UTF-8 or contains a NUL character."};
    }
    if (!all_new(tables, writes)) {
        return Error{ErrorCode::data_refused, "A row exists already."};
    }
    return ok();
}

void write_rows(MemoryTables& tables, const AdmissionMoves& moves, const Writes& writes) {
    tables.commit_number += 1;
    write_moves(tables, moves);
    write_instances(tables, writes);
    write_jobs(tables, writes);
    for (const Timer& row : writes.timers_new) tables.timers.emplace(row.key, row);
    for (const TimerKey& key : writes.timers_removed) tables.timers.erase(key);
    write_user_tasks(tables, writes);
    for (const StepExecution& row : writes.step_executions) {
        tables.step_executions.emplace(row.key, row);
    }
    write_definitions(tables, writes);
    write_api_keys(tables, writes);
    for (const IdempotencyRecord& row : writes.idempotency_records) {
        tables.idempotency_records.emplace(row.key, row);
    }
    for (const AuditEntry& row : writes.audit_entries) tables.audit_entries.emplace(row.key, row);
    for (const AuditKey& key : writes.audit_removed) tables.audit_entries.erase(key);
    remove_instances(tables, writes);
    write_queue(tables, writes);
    if (writes.idempotency_forgotten_before) {
        forget_idempotency_records(tables, *writes.idempotency_forgotten_before);
    }
}

}  // namespace millrace
