#pragma once

#include <map>

#include "base/mutex.hpp"
#include "store/definition_cache.hpp"
#include "store/effects.hpp"
#include "store/footprint.hpp"
#include "store/queue_reader.hpp"

namespace millrace {

// A row that batches lock, with the number of the commit that wrote it last.
template <class Row>
struct MemoryRow {
    Row row{};
    std::int64_t commit_number = 0;
};

struct MemoryDefinition {
    std::int64_t row_id = 0;
    DefinitionRecord record{};
};

// Ordered, so that iteration is the same in every run.
struct MemoryTables {
    std::map<InstanceKey, MemoryRow<Instance>> instances{};
    std::map<JobKey, MemoryRow<Job>> jobs{};
    std::map<TimerKey, Timer> timers{};
    std::map<UserTaskKey, UserTask> user_tasks{};
    std::map<std::string, ApiKey> api_keys{};
    std::map<StepExecutionKey, StepExecution> step_executions{};
    std::map<DefinitionKey, MemoryDefinition> definitions{};
    std::map<IdempotencyKey, IdempotencyRecord> idempotency_records{};
    std::map<AuditKey, AuditEntry> audit_entries{};
    std::map<ExecutionKey, MemoryRow<StoredExecution>> executions{};
    std::map<WorkspaceId, Workspace> workspaces{};
    std::map<WorkspaceId, MemoryRow<LineState>> lines{};
    std::int64_t definition_row_id = 0;  // The last one given out; so are the next two.
    std::int64_t seq = 0;
    std::int64_t commit_number = 0;

    MemoryTables();  // With the default workspace.

    // Null when there is none. Version 0 is the latest.
    const MemoryDefinition* find_definition(const DefinitionKey& key) const;
};

// What all connections to a MemoryDatabase share.
struct MemoryState {
    mutable Mutex mutex{};
    MemoryTables tables MILLRACE_GUARDED_BY(mutex){};
    DefinitionCache definitions{};
};

}  // namespace millrace
