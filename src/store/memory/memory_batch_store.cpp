#include "store/memory/memory_batch_store.hpp"

#include <utility>

#include "store/memory/memory_load.hpp"
#include "store/memory/memory_write.hpp"

namespace millrace {

namespace {

template <class Key, class Row>
std::int64_t commit_number_of(const std::map<Key, MemoryRow<Row>>& rows, const Key& key) {
    const auto found = rows.find(key);
    return found == rows.end() ? 0 : found->second.commit_number;
}

std::optional<UserTask> user_task_of(const MemoryTables& tables, const UserTaskKey& key) {
    const auto found = tables.user_tasks.find(key);
    return found == tables.user_tasks.end() ? std::nullopt : std::optional(found->second);
}

std::int32_t latest_version(const MemoryTables& tables, const DefinitionKey& name) {
    const MemoryDefinition* latest = tables.find_definition(name);
    return latest == nullptr ? 0 : latest->record.version;
}

}  // namespace

Result<LoadedRows> MemoryBatchStore::load(const Footprint& footprint) {
    MILLRACE_CHECK(!batch_);
    const MutexLock guard(state_.mutex);
    AdmissionMoves moves;
    if (footprint.admission) moves = moves_of(state_.tables, *footprint.admission);
    Result<LoadedRows> rows = read_rows(state_.tables, state_.definitions, footprint, moves);
    if (!rows) return rows;
    batch_ = lock(state_.tables, footprint);
    batch_->moves = std::move(moves);
    lock_admission(state_.tables, rows->admission, *batch_);
    return rows;
}

Result<LoadedRows> MemoryBatchStore::extend(const Footprint& footprint) {
    MILLRACE_CHECK(batch_);
    MILLRACE_CHECK(footprint.instances.empty());
    MILLRACE_CHECK(footprint.uploads.empty() && footprint.idempotency_keys.empty());
    MILLRACE_CHECK(footprint.executions.empty() && !footprint.admission);
    const MutexLock guard(state_.mutex);
    Result<LoadedRows> rows = read_rows(state_.tables, state_.definitions, footprint, {});
    if (rows) {
        Locks more = lock(state_.tables, footprint);
        batch_->jobs.merge(more.jobs);
        batch_->user_tasks.merge(more.user_tasks);
    } else {
        batch_.reset();
    }
    return rows;
}

// Checks everything first and writes afterwards, so there is nothing to undo.
Status MemoryBatchStore::apply(const Writes& writes) {
    MILLRACE_CHECK(batch_);
    const Locks locks = *std::exchange(batch_, std::nullopt);
    const MutexLock guard(state_.mutex);
    if (!holds(state_.tables, locks)) {
        return Error{ErrorCode::unavailable, "A row was changed by another connection."};
    }
    if (Status status = check_writes(state_.tables, writes); !status) return status;
    write_rows(state_.tables, locks.moves, writes);
    return ok();
}

void MemoryBatchStore::abandon() {
    MILLRACE_CHECK(batch_);
    batch_.reset();
}

// A commit into memory is never in doubt; a decorator that pretends so answers for itself.
Result<CommitOutcome> MemoryBatchStore::resolve() {
    return Error{ErrorCode::unavailable, "No commit is in doubt."};
}

MemoryBatchStore::Locks MemoryBatchStore::lock(const MemoryTables& tables,
                                               const Footprint& footprint) {
    Locks locks;
    for (const InstanceKey& key : footprint.instances) {
        locks.instances.emplace(key, commit_number_of(tables.instances, key));
    }
    for (const JobKey& key : footprint.jobs) {
        locks.jobs.emplace(key, commit_number_of(tables.jobs, key));
    }
    for (const UserTaskKey& key : footprint.user_tasks) {
        locks.user_tasks.emplace(key, user_task_of(tables, key));
    }
    for (const UploadKey& key : footprint.uploads) {
        const DefinitionKey name{key.workspace_id, key.id};
        locks.uploads.emplace(name, latest_version(tables, name));
    }
    for (const IdempotencyKey& key : footprint.idempotency_keys) {
        locks.idempotency_keys.emplace(key, tables.idempotency_records.contains(key));
    }
    for (const ExecutionKey& key : footprint.executions) {
        locks.executions.emplace(key, commit_number_of(tables.executions, key));
    }
    return locks;
}

void MemoryBatchStore::lock_admission(const MemoryTables& tables, const AdmissionRows& rows,
                                      Locks& locks) {
    const auto lock_execution = [&](const ExecutionKey& key) {
        locks.executions.emplace(key, commit_number_of(tables.executions, key));
    };
    const auto lock_line = [&](const WorkspaceId& id) {
        locks.lines.emplace(id, commit_number_of(tables.lines, id));
    };
    for (const auto& [id, state] : locks.moves.woken) lock_line(id);
    for (const ExecutionKey& key : locks.moves.unparked) lock_execution(key);
    for (const Execution& orphan : rows.orphans) lock_execution(orphan.key);
    for (const WorkspaceLine& line : rows.lines) {
        lock_line(line.workspace.id);
        for (const WaitingExecution& waiting : line.ready) {
            lock_execution(waiting.execution.key);
            if (!waiting.instance) continue;
            const InstanceKey& key = waiting.instance->key;
            locks.instances.emplace(key, commit_number_of(tables.instances, key));
        }
    }
}

bool MemoryBatchStore::holds(const MemoryTables& tables, const Locks& locks) {
    for (const auto& [key, number] : locks.instances) {
        if (commit_number_of(tables.instances, key) != number) return false;
    }
    for (const auto& [key, number] : locks.jobs) {
        if (commit_number_of(tables.jobs, key) != number) return false;
    }
    for (const auto& [key, task] : locks.user_tasks) {
        if (user_task_of(tables, key) != task) return false;
    }
    for (const auto& [name, version] : locks.uploads) {
        if (latest_version(tables, name) != version) return false;
    }
    for (const auto& [key, was_used] : locks.idempotency_keys) {
        if (tables.idempotency_records.contains(key) != was_used) return false;
    }
    for (const auto& [key, number] : locks.executions) {
        if (commit_number_of(tables.executions, key) != number) return false;
    }
    for (const auto& [id, number] : locks.lines) {
        if (commit_number_of(tables.lines, id) != number) return false;
    }
    return true;
}

}  // namespace millrace
