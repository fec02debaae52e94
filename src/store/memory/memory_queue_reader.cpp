#include <algorithm>
#include <map>
#include <ranges>
#include <set>
#include <tuple>

#include "core/queue/dead_letter_text.hpp"
#include "core/queue/transitions.hpp"
#include "store/id_range.hpp"
#include "store/memory/memory_paging.hpp"
#include "store/memory/memory_reader.hpp"

namespace millrace {

namespace {

bool stands(const Execution& execution, QueuePlace place) {
    return is_open(execution.queue_status) && execution.place == place;
}

bool is_waiting(const Execution& execution) {
    return is_open(execution.queue_status) && execution.place != QueuePlace::active;
}

// What nobody has asked for lets everything pass; empty texts are stored as none.
bool passes(const std::optional<std::string>& asked, const std::string& text) {
    return !asked || (!text.empty() && text == *asked);
}

bool matches(const ExecutionFilter& filter, const Execution& execution) {
    const auto& statuses = filter.statuses;
    if (!statuses.empty() && std::ranges::find(statuses, execution.queue_status) == statuses.end())
        return false;
    if (filter.only_dead_letters && !is_dead_letter(execution)) return false;
    return execution.key.workspace_id == filter.workspace_id &&
           passes(filter.definition_id, execution.definition.id) &&
           passes(filter.concurrency_key, execution.concurrency_key) &&
           passes(filter.error_reason, execution.error_reason) &&
           passes(filter.requested_by, execution.requested_by) &&
           (!filter.created_from || execution.created_at >= *filter.created_from) &&
           (!filter.created_before || execution.created_at < *filter.created_before);
}

// All executions for which `is_wanted` holds, by id.
template <class IsWanted>
std::vector<const Execution*> find_all(const MemoryTables& tables, IsWanted is_wanted) {
    std::vector<const Execution*> found;
    for (const auto& [key, row] : tables.executions) {
        if (is_wanted(row.row.execution)) found.push_back(&row.row.execution);
    }
    return found;
}

// Brings it down to the bound, and tells whether it was above.
bool cap(std::int64_t& count) {
    if (count <= limits::kTotalExactMax) return false;
    count = limits::kTotalExactMax;
    return true;
}

QueueCounts counts_of(const MemoryTables& tables, const WorkspaceId& id) {
    QueueCounts counts;
    const Execution* first = nullptr;
    for (const auto& [key, row] : tables.executions) {
        const Execution& execution = row.row.execution;
        if (key.workspace_id != id || !is_open(execution.queue_status)) continue;
        switch (execution.place) {
            case QueuePlace::ready: {
                counts.ready += 1;
                const bool is_first = first == nullptr || std::tie(execution.rank_at, key) <
                                                              std::tie(first->rank_at, first->key);
                if (is_first) first = &execution;
                break;
            }
            case QueuePlace::parked: counts.parked += 1; break;
            case QueuePlace::due: counts.due += 1; break;
            case QueuePlace::active:
                (execution.queue_status == QueueStatus::claimed ? counts.claimed
                                                                : counts.dispatched) += 1;
        }
    }
    for (std::int64_t* count :
         {&counts.ready, &counts.parked, &counts.due, &counts.claimed, &counts.dispatched}) {
        if (cap(*count)) counts.is_capped = true;
    }
    if (first != nullptr) counts.oldest_waiting = first->created_at;
    return counts;
}

QueueOverview overview_of(const MemoryTables& tables, const Workspace& workspace) {
    return {
        .workspace = workspace,
        .line = tables.lines.at(workspace.id).row,
        .counts = counts_of(tables, workspace.id),
    };
}

// From when on somebody has to do something about one that waits: the earlier of the two.
std::optional<Instant> due_since(const Execution& execution) {
    if (!is_waiting(execution)) return std::nullopt;
    std::optional<Instant> since = execution.deadline;
    if (execution.place == QueuePlace::due && execution.due_at) {
        since = std::min(since.value_or(*execution.due_at), *execution.due_at);
    }
    return since;
}

std::optional<Instant> unattended_since(const Execution& execution) {
    return stands(execution, QueuePlace::active) ? execution.due_at : std::nullopt;
}

std::optional<Instant> claim_unattended_since(const Execution& execution) {
    const bool is_claim = execution.queue_status == QueueStatus::claimed;
    return is_claim ? unattended_since(execution) : std::nullopt;
}

std::optional<Instant> run_unattended_since(const Execution& execution) {
    const bool is_run = execution.queue_status == QueueStatus::dispatched;
    return is_run ? unattended_since(execution) : std::nullopt;
}

std::optional<Instant> stale_since(const Execution& execution) {
    const bool is_claimed = execution.queue_status == QueueStatus::claimed;
    return is_claimed ? execution.claimed_at : std::nullopt;
}

using Since = std::optional<Instant> (*)(const Execution& execution);

Since since_of(Unattended which) {
    switch (which) {
        case Unattended::claims_and_runs: return unattended_since;
        case Unattended::claims: return claim_unattended_since;
        case Unattended::runs: return run_unattended_since;
    }
    return unattended_since;
}

std::vector<ExecutionKey> overdue(const MemoryTables& tables, Since since, Instant until,
                                  std::int32_t count_max) {
    std::vector<std::pair<Instant, ExecutionKey>> due;
    for (const auto& [key, row] : tables.executions) {
        const std::optional<Instant> at = since(row.row.execution);
        if (at && *at <= until) due.emplace_back(*at, key);
    }
    return first_due(std::move(due), count_max);
}

std::optional<Instant> next(const MemoryTables& tables, Since since) {
    std::optional<Instant> next;
    for (const auto& [key, row] : tables.executions) {
        const std::optional<Instant> at = since(row.row.execution);
        if (at && (!next || *at < *next)) next = at;
    }
    return next;
}

void add_to(DeadLetterGroup& group, const Execution& execution) {
    const Instant at = execution.completed_at.value_or(execution.created_at);
    group.first_at = group.count == 0 ? at : std::min(group.first_at, at);
    group.last_at = group.count == 0 ? at : std::max(group.last_at, at);
    group.count += 1;
    group.definition_id = execution.definition.id;
    group.reason = execution.error_reason;
    group.message = execution.error_message;  // They come by id: the last one stays.
    group.latest = execution.key.id;
}

}  // namespace

Result<std::optional<StoredExecution>> MemoryReader::execution(ExecutionId id) {
    const MutexLock guard(state_.mutex);
    const auto found = state_.tables.executions.lower_bound({.id = id});
    if (found == state_.tables.executions.end() || found->first.id != id) {
        return std::optional<StoredExecution>{};
    }
    return std::optional(found->second.row);
}

Result<Listing<Execution>> MemoryReader::executions(const ExecutionFilter& filter, Page page) {
    const Result<IdRange> range = range_of(filter, page);
    if (!range) return range.error();
    const MutexLock guard(state_.mutex);
    Pager<Execution> pager(page);
    std::vector<const Execution*> found = find_all(
        state_.tables, [&](const Execution& execution) { return matches(filter, execution); });
    if (!filter.oldest_first) std::ranges::reverse(found);
    for (const Execution* each : found) pager.add(*each, is_in(*range, each->key.id.value));
    return pager.take();
}

Result<std::optional<Workspace>> MemoryReader::workspace(const WorkspaceId& id) {
    const MutexLock guard(state_.mutex);
    const auto found = state_.tables.workspaces.find(id);
    if (found == state_.tables.workspaces.end()) return std::optional<Workspace>{};
    return std::optional(found->second);
}

Result<Listing<Workspace>> MemoryReader::workspaces(Page page) {
    const MutexLock guard(state_.mutex);
    Pager<Workspace> pager(page);
    for (const auto& [id, row] : state_.tables.workspaces) pager.add(row, id.value > page.after);
    return pager.take();
}

Result<std::optional<QueueOverview>> MemoryReader::queue(const WorkspaceId& id) {
    const MutexLock guard(state_.mutex);
    const auto found = state_.tables.workspaces.find(id);
    if (found == state_.tables.workspaces.end()) return std::optional<QueueOverview>{};
    return std::optional(overview_of(state_.tables, found->second));
}

Result<std::vector<QueueOverview>> MemoryReader::busy_queues(const WorkspaceId& after,
                                                             std::int32_t count_max) {
    const MutexLock guard(state_.mutex);
    std::set<WorkspaceId> busy;
    for (const auto& [key, row] : state_.tables.executions) {
        if (is_open(row.row.execution.queue_status)) busy.insert(key.workspace_id);
    }
    std::vector<QueueOverview> queues;
    for (const auto& [id, row] : state_.tables.workspaces) {
        if (std::ssize(queues) == count_max) break;
        if (id > after && busy.contains(id)) queues.push_back(overview_of(state_.tables, row));
    }
    return queues;
}

Result<std::vector<DeadLetterGroup>> MemoryReader::dead_letter_groups(
    const WorkspaceId& workspace_id, std::int32_t count_max) {
    const MutexLock guard(state_.mutex);
    std::map<std::tuple<std::string, std::string, std::string>, DeadLetterGroup> groups;
    for (const auto& [key, row] : state_.tables.executions) {
        const Execution& each = row.row.execution;
        if (key.workspace_id != workspace_id || !is_dead_letter(each)) continue;
        add_to(
            groups[{each.definition.id, each.error_reason, normalised_message(each.error_message)}],
            each);
    }
    std::vector<DeadLetterGroup> largest;
    for (const auto& [alike, group] : groups) largest.push_back(group);
    std::ranges::stable_sort(largest, std::greater{}, [](const DeadLetterGroup& group) {
        return std::pair(group.count, group.last_at);
    });
    if (std::ssize(largest) > count_max) largest.resize(static_cast<std::size_t>(count_max));
    return largest;
}

Result<std::int64_t> MemoryReader::dead_letters(const WorkspaceId& workspace_id) {
    const MutexLock guard(state_.mutex);
    std::int64_t count = std::ssize(find_all(state_.tables, [&](const Execution& each) {
        const bool is_asked = workspace_id.value.empty() || each.key.workspace_id == workspace_id;
        return is_asked && is_dead_letter(each);
    }));
    cap(count);
    return count;
}

Result<QueuePosition> MemoryReader::position(const Execution& execution) {
    const MutexLock guard(state_.mutex);
    QueuePosition position{.before =
                               std::ssize(find_all(state_.tables, [&](const Execution& other) {
                                   return other.key.workspace_id == execution.key.workspace_id &&
                                          stands(other, QueuePlace::ready) &&
                                          std::tie(other.rank_at, other.key.id) <
                                              std::tie(execution.rank_at, execution.key.id);
                               }))};
    position.is_capped = cap(position.before);
    return position;
}

Result<std::vector<Execution>> MemoryReader::slot_holders(const WorkspaceId& workspace_id,
                                                          const std::string& concurrency_key,
                                                          std::int32_t count_max) {
    const MutexLock guard(state_.mutex);
    std::vector<const Execution*> active = find_all(state_.tables, [&](const Execution& each) {
        return each.key.workspace_id == workspace_id && stands(each, QueuePlace::active) &&
               (concurrency_key.empty() || each.concurrency_key == concurrency_key);
    });
    std::ranges::stable_sort(active, {}, [](const Execution* each) { return each->created_at; });
    std::vector<Execution> holders;
    for (const Execution* each : active | std::views::take(count_max)) holders.push_back(*each);
    return holders;
}

Result<std::vector<ExecutionKey>> MemoryReader::due_executions(Instant now,
                                                               std::int32_t count_max) {
    const MutexLock guard(state_.mutex);
    return overdue(state_.tables, due_since, now, count_max);
}

Result<std::optional<Instant>> MemoryReader::next_due_execution() {
    const MutexLock guard(state_.mutex);
    return next(state_.tables, due_since);
}

Result<std::vector<ExecutionKey>> MemoryReader::unattended_executions(Unattended which, Instant now,
                                                                      std::int32_t count_max) {
    const MutexLock guard(state_.mutex);
    return overdue(state_.tables, since_of(which), now, count_max);
}

Result<std::optional<Instant>> MemoryReader::next_unattended_execution(Unattended which) {
    const MutexLock guard(state_.mutex);
    return next(state_.tables, since_of(which));
}

Result<std::vector<ExecutionKey>> MemoryReader::stale_claims(Instant claimed_before,
                                                             std::int32_t count_max) {
    const MutexLock guard(state_.mutex);
    return overdue(state_.tables, stale_since, claimed_before - Duration{1}, count_max);
}

Result<std::vector<Execution>> MemoryReader::execution_ends(const WorkspaceId& workspace_id,
                                                            const std::string& definition_id,
                                                            ExecutionId after, ExecutionId before,
                                                            std::int32_t count_max) {
    const MutexLock guard(state_.mutex);
    std::vector<Execution> ends;
    for (const auto& [key, row] : state_.tables.executions) {
        if (std::ssize(ends) == count_max) break;
        const bool is_asked = key.id > after && key.id < before &&
                              key.workspace_id == workspace_id &&
                              row.row.execution.definition.id == definition_id;
        if (is_asked) ends.push_back(row.row.execution);
    }
    return ends;
}

}  // namespace millrace
