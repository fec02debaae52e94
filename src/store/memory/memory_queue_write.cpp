#include "store/memory/memory_queue_write.hpp"

#include <algorithm>

#include "core/queue/transitions.hpp"
#include "store/storable_text.hpp"

namespace millrace {

namespace {

bool storable(const Execution& row) {
    return are_storable(row.key.workspace_id.value, row.definition.id, row.concurrency_key,
                        row.requested_by, row.last_error, row.error_reason, row.error_message,
                        row.claim.owner, row.target, row.run_id, row.trace_parent);
}

bool storable(const NewExecution& row) {
    return storable(row.execution) && is_storable(row.input.text());
}

bool storable(const ExecutionEnd& row) {
    return are_storable(row.reason, row.message);
}

bool storable(const ExecutionResult& row) {
    return is_storable(row.result);
}

bool storable(const Workspace& row) {
    return are_storable(row.id.value, row.name, row.plan);
}

template <class Row>
bool all_queue_rows_storable(const std::vector<Row>& rows) {
    return std::ranges::all_of(rows, [](const Row& row) { return storable(row); });
}

bool has_parked_besides(const MemoryTables& tables, const Execution& execution) {
    return std::ranges::any_of(tables.executions, [&](const auto& entry) {
        const Execution& other = entry.second.row.execution;
        return other.place == QueuePlace::parked && is_open(other.queue_status) &&
               other.key != execution.key && other.key.workspace_id == execution.key.workspace_id &&
               other.concurrency_key == execution.concurrency_key;
    });
}

// One whose concurrency key has others parked stands behind them.
Execution placed(const MemoryTables& tables, Execution execution) {
    const bool is_ready = execution.queue_status == QueueStatus::pending &&
                          execution.place == QueuePlace::ready &&
                          !execution.concurrency_key.empty();
    if (is_ready && has_parked_besides(tables, execution)) execution.place = QueuePlace::parked;
    return execution;
}

void write_executions(MemoryTables& tables, const Writes& writes) {
    for (const NewExecution& row : writes.executions_new) {
        tables.executions.emplace(
            row.execution.key,
            MemoryRow<StoredExecution>{{placed(tables, row.execution), row.input, {}},
                                       tables.commit_number});
    }
    for (const Execution& row : writes.executions_changed) {
        const auto found = tables.executions.find(row.key);
        if (found == tables.executions.end()) continue;
        found->second.row.execution = placed(tables, row);
        found->second.commit_number = tables.commit_number;
    }
    for (const ExecutionMove& move : writes.executions_moved) {
        const auto found = tables.executions.find(move.key);
        if (found == tables.executions.end()) continue;
        Execution& execution = found->second.row.execution;
        if (!is_open(execution.queue_status)) continue;
        execution.instance_id = move.instance_id;
        found->second.commit_number = tables.commit_number;
    }
    for (const ExecutionEnd& end : writes.executions_ended) {
        const auto found = tables.executions.find(end.key);
        if (found == tables.executions.end()) continue;
        std::optional<Execution> over = ended(found->second.row.execution, end);
        if (!over) continue;
        found->second.row.execution = std::move(*over);
        found->second.commit_number = tables.commit_number;
    }
    for (const ExecutionResult& result : writes.execution_results) {
        const auto found = tables.executions.find(result.key);
        if (found != tables.executions.end()) found->second.row.result = result.result;
    }
    for (const ExecutionKey& key : writes.executions_removed) tables.executions.erase(key);
}

void remove_workspace(MemoryTables& tables, const WorkspaceId& id) {
    tables.workspaces.erase(id);
    tables.lines.erase(id);
    std::erase_if(tables.definitions,
                  [&](const auto& entry) { return entry.first.workspace_id == id; });
}

}  // namespace

bool queue_texts_storable(const Writes& writes) {
    return all_queue_rows_storable(writes.executions_new) &&
           all_queue_rows_storable(writes.executions_changed) &&
           all_queue_rows_storable(writes.executions_ended) &&
           all_queue_rows_storable(writes.execution_results) &&
           all_queue_rows_storable(writes.workspaces);
}

void write_moves(MemoryTables& tables, const AdmissionMoves& moves) {
    for (const auto& [id, state] : moves.woken) {
        tables.lines.at(id) = {state, tables.commit_number};
    }
    for (const ExecutionKey& key : moves.unparked) {
        MemoryRow<StoredExecution>& row = tables.executions.at(key);
        row.row.execution.place = QueuePlace::ready;
        row.commit_number = tables.commit_number;
    }
}

void write_queue(MemoryTables& tables, const Writes& writes) {
    write_executions(tables, writes);
    for (const WorkspaceId& id : writes.workspaces_removed) remove_workspace(tables, id);
    for (const Workspace& row : writes.workspaces) {
        tables.workspaces.insert_or_assign(row.id, row);
        tables.lines.try_emplace(row.id, MemoryRow<LineState>{{}, tables.commit_number});
    }
    for (const LineChange& line : writes.lines) {
        const auto found = tables.lines.find(line.workspace_id);
        if (found != tables.lines.end()) found->second = {line.state, tables.commit_number};
    }
}

}  // namespace millrace
