#include "store/memory/memory_admission.hpp"

#include <algorithm>
#include <ranges>
#include <tuple>

#include "core/limits.hpp"

namespace millrace {

namespace {

using Executions = std::vector<const Execution*>;

bool comes_before(const Execution* left, const Execution* right) {
    return std::tie(left->rank_at, left->key) < std::tie(right->rank_at, right->key);
}

bool stands_at(const Execution& execution, QueuePlace place) {
    return is_open(execution.queue_status) && execution.place == place;
}

ConcurrencyKey key_of(const Execution& execution) {
    return {execution.key.workspace_id, execution.concurrency_key};
}

std::optional<std::int32_t> max_per_key(const MemoryTables& tables, const WorkspaceId& id) {
    const auto found = tables.workspaces.find(id);
    return found == tables.workspaces.end() ? std::nullopt : found->second.max_per_key;
}

// Those that were parked when the admission began, of each key, the first in line first.
std::map<ConcurrencyKey, Executions> parked_by_key(const MemoryTables& tables) {
    std::map<ConcurrencyKey, Executions> parked;
    for (const auto& [key, row] : tables.executions) {
        const Execution& execution = row.row.execution;
        if (stands_at(execution, QueuePlace::parked))
            parked[key_of(execution)].push_back(&execution);
    }
    for (auto& [key, executions] : parked) std::ranges::sort(executions, comes_before);
    return parked;
}

std::int64_t count_active(const MemoryTables& tables, const ConcurrencyKey& key) {
    return std::ranges::count_if(tables.executions, [&](const auto& entry) {
        const Execution& execution = entry.second.row.execution;
        return stands_at(execution, QueuePlace::active) && key_of(execution) == key;
    });
}

std::vector<ConcurrencyKey> keys_behind(const std::map<ConcurrencyKey, Executions>& parked,
                                        const ConcurrencyKey& after) {
    std::vector<ConcurrencyKey> keys;
    for (auto entry = parked.upper_bound(after);
         entry != parked.end() && keys.size() < limits::kQueueNetMax; ++entry) {
        keys.push_back(entry->first);
    }
    return keys;
}

std::set<ExecutionKey> unpark(const MemoryTables& tables, const AdmissionRequest& request) {
    std::set<ExecutionKey> unparked;
    if (request.woken_keys.empty() && !request.looks_everywhere) return unparked;
    const auto parked = parked_by_key(tables);
    std::set<ConcurrencyKey> keys(request.woken_keys.begin(), request.woken_keys.end());
    if (request.looks_everywhere) {
        for (ConcurrencyKey& key : keys_behind(parked, request.keys_after)) {
            keys.insert(std::move(key));
        }
    }
    for (const ConcurrencyKey& key : keys) {
        const auto found = parked.find(key);
        if (found == parked.end()) continue;
        const std::int64_t limit =
            max_per_key(tables, key.workspace_id).value_or(request.max_per_key);
        const std::int64_t room = std::max<std::int64_t>(0, limit - count_active(tables, key));
        for (const Execution* execution : found->second | std::views::take(room)) {
            unparked.insert(execution->key);
        }
    }
    return unparked;
}

bool is_ready(const Execution& execution, const AdmissionMoves& moves) {
    return execution.queue_status == QueueStatus::pending &&
           (execution.place == QueuePlace::ready || moves.unparked.contains(execution.key));
}

// Whether they exist or not.
std::vector<WorkspaceId> waiting_workspaces(const MemoryTables& tables, const AdmissionMoves& moves,
                                            const WorkspaceId& after) {
    std::set<WorkspaceId> waiting;
    for (const auto& [key, row] : tables.executions) {
        if (key.workspace_id > after && is_ready(row.row.execution, moves)) {
            waiting.insert(key.workspace_id);
        }
    }
    std::vector<WorkspaceId> first;
    std::ranges::copy(waiting | std::views::take(limits::kQueueNetMax), std::back_inserter(first));
    return first;
}

double mark_of(const AdmissionRequest& request) {
    return request.looks_everywhere ? 0 : request.virtual_time_mark;
}

std::map<WorkspaceId, LineState> wake(const MemoryTables& tables, const AdmissionRequest& request,
                                      const std::vector<WorkspaceId>& waiting) {
    const double mark = mark_of(request);
    std::optional<double> lowest;
    for (const auto& [id, line] : tables.lines) {
        const double virtual_time = line.row.virtual_time;
        if (line.row.is_runnable) lowest = std::min(lowest.value_or(virtual_time), virtual_time);
    }
    std::set<WorkspaceId> ids(request.woken.begin(), request.woken.end());
    ids.insert(waiting.begin(), waiting.end());
    std::map<WorkspaceId, LineState> woken;
    for (const WorkspaceId& id : ids) {
        const auto line = tables.lines.find(id);
        if (line == tables.lines.end() || line->second.row.is_runnable) continue;
        LineState state = line->second.row;
        state.is_runnable = true;
        state.virtual_time = std::max({state.virtual_time, lowest.value_or(mark), mark});
        woken.emplace(id, state);
    }
    return woken;
}

// As many as may be looked at, the one that got least first.
std::vector<WorkspaceLine> competing_lines(const MemoryTables& tables, const AdmissionMoves& moves,
                                           const AdmissionRequest& request) {
    const double mark = mark_of(request);
    std::vector<WorkspaceLine> lines;
    for (const auto& [id, row] : tables.lines) {
        const auto woken = moves.woken.find(id);
        const LineState& state = woken == moves.woken.end() ? row.row : woken->second;
        const auto workspace = tables.workspaces.find(id);
        if (!state.is_runnable || state.virtual_time < mark) continue;
        if (workspace == tables.workspaces.end()) continue;
        lines.push_back({.workspace = workspace->second, .state = state});
    }
    std::ranges::stable_sort(lines, {}, [](const auto& line) { return line.state.virtual_time; });
    const auto count_max = static_cast<std::size_t>(std::max(0, request.lines_max));
    if (lines.size() > count_max) lines.resize(count_max);
    return lines;
}

void count(const MemoryTables& tables, const AdmissionMoves& moves, const AdmissionRequest& request,
           WorkspaceLine& line) {
    for (const auto& [key, row] : tables.executions) {
        if (key.workspace_id != line.workspace.id) continue;
        if (stands_at(row.row.execution, QueuePlace::active)) line.active += 1;
        if (is_ready(row.row.execution, moves)) line.ready_count += 1;
    }
    line.ready_count = std::min<std::int64_t>(line.ready_count, request.count_max);
    if (!request.active_counted) return;
    const std::optional<std::int32_t> bound = request.active_counted(line.workspace);
    if (bound) line.active = std::min<std::int64_t>(line.active, *bound);
}

std::optional<Instance> resumed_instance(const MemoryTables& tables, const Execution& execution) {
    if (!execution.is_resuming || !execution.instance_id) return std::nullopt;
    const auto found = tables.instances.find({*execution.instance_id, execution.key.workspace_id});
    if (found == tables.instances.end()) return std::nullopt;
    return found->second.row;
}

void read_ready(const MemoryTables& tables, const AdmissionMoves& moves, std::int32_t count_max,
                std::int64_t& bytes_left, WorkspaceLine& line) {
    Executions ready;
    for (const auto& [key, row] : tables.executions) {
        const Execution& execution = row.row.execution;
        const bool is_here = key.workspace_id == line.workspace.id;
        if (is_here && is_ready(execution, moves)) ready.push_back(&execution);
    }
    std::ranges::sort(ready, comes_before);
    for (const Execution* execution : ready | std::views::take(std::max(0, count_max))) {
        if (bytes_left <= 0) return;
        WaitingExecution waiting{
            .execution = *execution,
            .input = tables.executions.at(execution->key).row.input,
            .instance = resumed_instance(tables, *execution),
        };
        bytes_left -= std::ssize(waiting.input.text());
        if (waiting.instance) bytes_left -= std::ssize(waiting.instance->variables.text());
        waiting.execution.place = QueuePlace::ready;
        if (!execution->concurrency_key.empty()) {
            waiting.active_of_key = count_active(tables, key_of(*execution));
        }
        line.ready.push_back(std::move(waiting));
    }
}

void look_everywhere(const MemoryTables& tables, const AdmissionMoves& moves,
                     const AdmissionRequest& request, AdmissionRows& rows) {
    const auto waiting = waiting_workspaces(tables, moves, request.lines_after);
    if (waiting.size() == limits::kQueueNetMax) rows.lines_looked_at = waiting.back();
    const auto keys = keys_behind(parked_by_key(tables), request.keys_after);
    if (keys.size() == limits::kQueueNetMax) rows.keys_looked_at = keys.back();
    for (const auto& [key, row] : tables.executions) {
        const Execution& execution = row.row.execution;
        if (rows.orphans.size() == limits::kQueueOrphansMax) break;
        if (!is_ready(execution, moves) || tables.workspaces.contains(key.workspace_id)) continue;
        if (!std::ranges::binary_search(waiting, key.workspace_id)) continue;
        rows.orphans.push_back(execution);
        rows.orphans.back().place = QueuePlace::ready;
    }
}

}  // namespace

AdmissionMoves moves_of(const MemoryTables& tables, const AdmissionRequest& request) {
    AdmissionMoves moves{.unparked = unpark(tables, request)};
    std::vector<WorkspaceId> waiting;
    if (request.looks_everywhere) {
        waiting = waiting_workspaces(tables, moves, request.lines_after);
    }
    moves.woken = wake(tables, request, waiting);
    return moves;
}

AdmissionRows read_admission(const MemoryTables& tables, const AdmissionMoves& moves,
                             const AdmissionRequest& request) {
    AdmissionRows rows{.lines = competing_lines(tables, moves, request)};
    for (WorkspaceLine& line : rows.lines) count(tables, moves, request, line);
    std::int64_t bytes_left = request.bytes_max;
    for (WorkspaceLine& line : rows.lines) {
        if (!request.quota) continue;
        const std::int32_t quota = request.quota(line, rows.lines.size());
        read_ready(tables, moves, quota, bytes_left, line);
    }
    if (request.looks_everywhere) look_everywhere(tables, moves, request, rows);
    return rows;
}

}  // namespace millrace
