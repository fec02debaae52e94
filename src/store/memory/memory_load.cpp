#include "store/memory/memory_load.hpp"

#include <algorithm>
#include <set>

namespace millrace {

namespace {

UploadRow read_upload(const MemoryTables& tables, const UploadKey& key) {
    UploadRow row;
    // From version 1 on: the newest with the same text is the last one seen.
    for (auto entry = tables.definitions.lower_bound({key.workspace_id, key.id});
         entry != tables.definitions.end(); ++entry) {
        const DefinitionRecord& record = entry->second.record;
        if (record.workspace_id != key.workspace_id || record.id != key.id) break;
        row.latest_version = record.version;
        if (record.canonical != key.canonical) continue;
        row.same_version = record.version;
        row.same_uploaded_at = record.uploaded_at;
    }
    return row;
}

Result<DefinitionRow> parsed(const MemoryDefinition& stored, DefinitionCache& cache) {
    const DefinitionRecord& record = stored.record;
    DefinitionRow row{.ref = {stored.row_id, record.id, record.version},
                      .definition = cache.find(stored.row_id)};
    if (row.definition != nullptr) return row;
    const Result<DefinitionPtr> added = cache.add(stored.row_id, record.content);
    if (!added) return added.error();
    row.definition = *added;
    return row;
}

template <class Key, class Row, class Out>
void read_locked(const std::map<Key, MemoryRow<Row>>& rows, const std::vector<Key>& keys,
                 Out& out) {
    for (const Key& key : keys) {
        const auto found = rows.find(key);
        if (found != rows.end()) out.push_back(found->second.row);
    }
}

void read_definitions(const MemoryTables& tables, DefinitionCache& cache,
                      const Footprint& footprint, LoadedRows& out) {
    for (const DefinitionKey& key : footprint.definitions) {
        std::optional<DefinitionRow> row;
        if (const MemoryDefinition* stored = tables.find_definition(key)) {
            const Result<DefinitionRow> found = parsed(*stored, cache);
            if (found) {
                row = *found;
            } else {
                out.unreadable.definitions.push_back(key);
                out.unreadable.reasons.push_back(found.error().detail);
            }
        }
        out.definitions.emplace_back(key, row);
    }
}

struct UsedDefinition {
    WorkspaceId workspace_id{};
    DefinitionRef ref{};
};

// Of all instances, and of the executions that an admission may let in, by row id.
std::map<std::int64_t, UsedDefinition> definitions_in_use(const LoadedRows& rows) {
    std::map<std::int64_t, UsedDefinition> used;
    const auto add = [&](const auto& row) {
        used.try_emplace(row.definition.row_id,
                         UsedDefinition{row.key.workspace_id, row.definition});
    };
    std::ranges::for_each(rows.instances, add);
    for (const WorkspaceLine& line : rows.admission.lines) {
        for (const WaitingExecution& waiting : line.ready) {
            add(waiting.execution);
            if (waiting.instance) add(*waiting.instance);
        }
    }
    return used;
}

void read_definitions_in_use(const MemoryTables& tables, DefinitionCache& cache, LoadedRows& out) {
    for (const auto& [row_id, used] : definitions_in_use(out)) {
        const MemoryDefinition* stored =
            tables.find_definition({used.workspace_id, used.ref.id, used.ref.version});
        if (stored == nullptr || stored->row_id != row_id) continue;
        const Result<DefinitionRow> row = parsed(*stored, cache);
        if (row) {
            out.instance_definitions.push_back(*row);
        } else {
            out.unreadable.reasons.push_back(row.error().detail);
        }
    }
}

void read_queue(const MemoryTables& tables, const Footprint& footprint, const AdmissionMoves& moves,
                LoadedRows& out) {
    std::set<ExecutionKey> keys(footprint.executions.begin(), footprint.executions.end());
    for (const Instance& instance : out.instances) {
        if (!footprint.executions_of_instances || !instance.execution_id) continue;
        keys.insert({*instance.execution_id, instance.key.workspace_id});
    }
    for (const ExecutionKey& key : keys) {
        const auto found = tables.executions.find(key);
        if (found == tables.executions.end()) continue;
        out.executions.push_back(found->second.row.execution);
        if (moves.unparked.contains(key)) out.executions.back().place = QueuePlace::ready;
    }
    for (const WorkspaceId& id : footprint.workspaces) {
        const auto found = tables.workspaces.find(id);
        if (found != tables.workspaces.end()) out.workspaces.push_back(found->second);
    }
    if (footprint.admission) out.admission = read_admission(tables, moves, *footprint.admission);
}

}  // namespace

Result<LoadedRows> read_rows(const MemoryTables& tables, DefinitionCache& cache,
                             const Footprint& footprint, const AdmissionMoves& moves) {
    LoadedRows out;
    for (const IdempotencyKey& key : footprint.idempotency_keys) {
        const auto found = tables.idempotency_records.find(key);
        if (found != tables.idempotency_records.end()) {
            out.idempotency_records.push_back(found->second);
        }
    }
    read_locked(tables.instances, footprint.instances, out.instances);
    read_locked(tables.jobs, footprint.jobs, out.jobs);
    for (const UserTaskKey& key : footprint.user_tasks) {
        const auto found = tables.user_tasks.find(key);
        if (found != tables.user_tasks.end()) out.user_tasks.push_back(found->second);
    }
    for (const std::string& id : footprint.api_keys) {
        const auto found = tables.api_keys.find(id);
        if (found != tables.api_keys.end()) out.api_keys.push_back(found->second);
    }
    for (const StepExecutionKey& key : footprint.step_executions) {
        const auto found = tables.step_executions.find(key);
        if (found != tables.step_executions.end()) out.step_executions.push_back(found->second);
    }
    for (const UploadKey& key : footprint.uploads) {
        out.uploads.emplace_back(key, read_upload(tables, key));
    }
    read_queue(tables, footprint, moves, out);
    read_definitions(tables, cache, footprint, out);
    read_definitions_in_use(tables, cache, out);
    return out;
}

}  // namespace millrace
