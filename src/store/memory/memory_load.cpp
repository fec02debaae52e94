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
    DefinitionCache::Kept kept = cache.find(stored.row_id);
    if (kept.definition == nullptr) {
        const Result<DefinitionCache::Kept> added = cache.add(stored.row_id, record.content);
        if (!added) return added.error();
        kept = *added;
    }
    return DefinitionRow{.ref = {stored.row_id, record.id, record.version},
                         .definition = kept.definition,
                         .bytes = kept.bytes};
}

std::size_t bytes_of(const Instance& row) {
    return row.variables.text().size();
}

std::size_t bytes_of(const Job& row) {
    return row.variables ? row.variables->text().size() : 0;
}

Id128 instance_id_of(const InstanceKey& key) {
    return key.id.value;
}

Id128 instance_id_of(const JobKey& key) {
    return instance_of(key.id).value;
}

template <class Key, class Row, class Out>
void read_locked(const std::map<Key, MemoryRow<Row>>& rows, const std::vector<Key>& keys,
                 const ReadingBound& bound, Out& out, LeftOutRows& left_out) {
    ReadingRoom room(bound);
    for (const Key& key : in_order_of_reading(bound, keys)) {
        const auto found = rows.find(key);
        if (found == rows.end()) continue;
        if (!room.is_left() && !comes_first(bound, key)) {
            left_out.instances.push_back(instance_id_of(key));
            continue;
        }
        room.take(bytes_of(found->second.row));
        out.push_back(found->second.row);
    }
}

// Which they are; what they say is read at the end.
void find_definitions(const MemoryTables& tables, const Footprint& footprint, LoadedRows& out) {
    for (const DefinitionKey& key : footprint.definitions) {
        std::optional<DefinitionRow> row;
        if (const MemoryDefinition* stored = tables.find_definition(key)) {
            row.emplace().ref = {stored->row_id, stored->record.id, stored->record.version};
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

void put_asked_definitions(const std::map<std::int64_t, DefinitionRow>& at_hand, LoadedRows& out) {
    for (auto& [key, row] : out.definitions) {
        if (!row) continue;
        const auto found = at_hand.find(row->ref.row_id);
        if (found == at_hand.end()) out.unreadable.definitions.push_back(key);
        row = found == at_hand.end() ? std::nullopt : std::optional(found->second);
    }
}

void read_definitions(const MemoryTables& tables, DefinitionCache& cache, const ReadingBound& bound,
                      LoadedRows& out) {
    const std::set<std::int64_t> first = definitions_first(bound, out);
    const auto used_by_rows = definitions_in_use(out);
    auto used = used_by_rows;
    for (const auto& [key, row] : out.definitions) {
        if (row) used.try_emplace(row->ref.row_id, UsedDefinition{key.workspace_id, row->ref});
    }
    std::map<std::int64_t, DefinitionRow> at_hand;
    std::set<std::int64_t> left;
    ReadingRoom room(bound);
    const auto read = [&](std::int64_t row_id, const UsedDefinition& one) {
        const MemoryDefinition* stored =
            tables.find_definition({one.workspace_id, one.ref.id, one.ref.version});
        if (stored == nullptr || stored->row_id != row_id) return;
        const Result<DefinitionRow> row = parsed(*stored, cache);
        if (!row) return out.unreadable.reasons.push_back(row.error().detail);
        room.take(row->bytes);
        at_hand.emplace(row_id, *row);
    };
    for (const auto& [row_id, one] : used) {
        if (first.contains(row_id)) read(row_id, one);
    }
    for (const auto& [row_id, one] : used) {
        if (first.contains(row_id)) continue;
        room.is_left() ? read(row_id, one) : void(left.insert(row_id));
    }
    leave_out(out, left);
    put_asked_definitions(at_hand, out);
    for (const auto& [row_id, row] : at_hand) {
        if (used_by_rows.contains(row_id)) out.instance_definitions.push_back(row);
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
    const ReadingBound& bound = footprint.bound;
    read_locked(tables.instances, footprint.instances, bound, out.instances, out.left_out);
    read_locked(tables.jobs, footprint.jobs, bound, out.jobs, out.left_out);
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
    find_definitions(tables, footprint, out);
    read_definitions(tables, cache, bound, out);
    out.left_out.normalise();
    return out;
}

}  // namespace millrace
