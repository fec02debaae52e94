#include "store/memory/memory_reader.hpp"

#include <algorithm>
#include <ranges>
#include <tuple>

#include "store/id_range.hpp"
#include "store/memory/memory_paging.hpp"

namespace millrace {

namespace {

char ascii_lower(char letter) {
    return letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter - 'A' + 'a') : letter;
}

bool contains(std::string_view text, std::string_view part) {
    const auto same = [](char left, char right) {
        return ascii_lower(left) == ascii_lower(right);
    };
    return part.empty() || !std::ranges::search(text, part, same).empty();
}

bool matches(const InstanceFilter& filter, const Instance& instance) {
    if (instance.key.workspace_id != filter.workspace_id) return false;
    if (filter.definition_id && instance.definition.id != *filter.definition_id) return false;
    if (filter.definition_version && instance.definition.version != *filter.definition_version) {
        return false;
    }
    const auto& statuses = filter.statuses;
    if (!statuses.empty() && std::ranges::find(statuses, instance.status) == statuses.end()) {
        return false;
    }
    if (filter.id && instance.key.id != *filter.id) return false;
    if (filter.started_from && instance.started_at < *filter.started_from) return false;
    if (filter.started_before && instance.started_at >= *filter.started_before) return false;
    if (filter.is_suspended && instance.state.is_suspended != *filter.is_suspended) return false;
    if (!filter.text.empty() && !contains(instance.business_key, filter.text) &&
        !contains(instance.definition.id, filter.text) &&
        !contains(instance.failure_reason.value_or(""), filter.text) &&
        !contains(instance.variables.text(), filter.text)) {
        return false;
    }
    if (!filter.business_key) return true;
    return !instance.business_key.empty() && instance.business_key == *filter.business_key;
}

bool matches(const JobFilter& filter, const Job& job) {
    if (job.key.workspace_id != filter.workspace_id) return false;
    if (filter.job_type && job.job_type.value != *filter.job_type) return false;
    const JobState shown = is_kept_back(job) ? JobState::unlocked : job.status;
    if (filter.status && shown != *filter.status) return false;
    return !filter.worker_id || (job.lease && job.lease->worker_id.value == *filter.worker_id);
}

bool matches(const UserTaskFilter& filter, const UserTask& task) {
    const auto is_a_group = [&](const std::string& group) {
        return group == *filter.candidate_group;
    };
    return task.key.workspace_id == filter.workspace_id &&
           (!filter.status || task.status == *filter.status) &&
           (!filter.definition_id || task.definition_id == *filter.definition_id) &&
           (!filter.step_id || task.step_id == *filter.step_id) &&
           (!filter.assignee || task.assignee == *filter.assignee) &&
           (!filter.candidate_group || std::ranges::any_of(task.candidate_groups, is_a_group));
}

bool matches(const AuditFilter& filter, const AuditEntry& entry) {
    const auto& kinds = filter.kinds;
    if (!kinds.empty() && std::ranges::find(kinds, entry.kind) == kinds.end()) return false;
    // An entry without a key has none, not an empty one.
    if (filter.key_id && (filter.key_id->empty() || entry.actor.key_id != *filter.key_id)) {
        return false;
    }
    return entry.key.workspace_id == filter.workspace_id &&
           (!filter.instance_id || entry.instance_id == filter.instance_id) &&
           (!filter.since || entry.at >= *filter.since) &&
           (!filter.until || entry.at < *filter.until);
}

}  // namespace

Result<std::optional<DefinitionRecord>> MemoryReader::definition(const WorkspaceId& workspace_id,
                                                                 const std::string& id,
                                                                 std::int32_t version) {
    const MutexLock guard(state_.mutex);
    const MemoryDefinition* found = state_.tables.find_definition({workspace_id, id, version});
    if (found == nullptr) return std::optional<DefinitionRecord>{};
    return std::optional(found->record);
}

Result<Listing<DefinitionSummary>> MemoryReader::definitions(const DefinitionFilter& filter,
                                                             Page page) {
    const MutexLock guard(state_.mutex);
    const MemoryTables& tables = state_.tables;
    Pager<DefinitionSummary> pager(page);
    for (const auto& [key, stored] : tables.definitions) {
        const DefinitionRecord& record = stored.record;
        const bool is_latest = tables.find_definition({key.workspace_id, key.id}) == &stored;
        if (!is_latest || key.workspace_id != filter.workspace_id) continue;
        if (!contains(record.id, filter.keyword) && !contains(record.name, filter.keyword))
            continue;
        pager.add({record.id, record.version, record.name, record.uploaded_at},
                  record.id > page.after);
    }
    return pager.take();
}

Result<bool> MemoryReader::is_definition_elsewhere(const WorkspaceId& workspace_id,
                                                   const std::string& id) {
    const MutexLock guard(state_.mutex);
    return std::ranges::any_of(state_.tables.definitions, [&](const auto& row) {
        return row.first.id == id && row.first.workspace_id != workspace_id;
    });
}

Result<Listing<DefinitionSummary>> MemoryReader::definition_versions(
    const WorkspaceId& workspace_id, const std::string& id, Page page) {
    const std::int32_t before = version_before(page);
    const MutexLock guard(state_.mutex);
    Pager<DefinitionSummary> pager(page);
    for (const auto& [key, stored] : state_.tables.definitions | std::views::reverse) {
        if (key.workspace_id != workspace_id || key.id != id) continue;
        const DefinitionRecord& record = stored.record;
        pager.add({record.id, record.version, record.name, record.uploaded_at},
                  before == 0 || record.version < before);
    }
    return pager.take();
}

Result<std::optional<Instance>> MemoryReader::instance(const InstanceKey& key) {
    const MutexLock guard(state_.mutex);
    const auto found = state_.tables.instances.find(key);
    if (found == state_.tables.instances.end()) return std::optional<Instance>{};
    return std::optional(found->second.row);
}

Result<std::optional<WorkspaceId>> MemoryReader::workspace_of_instance(InstanceId id) {
    const MutexLock guard(state_.mutex);
    const auto found = state_.tables.instances.lower_bound({.id = id});
    const bool is_there = found != state_.tables.instances.end() && found->first.id == id;
    if (!is_there) return std::optional<WorkspaceId>{};
    return std::optional(found->first.workspace_id);
}

Result<Listing<Instance>> MemoryReader::instances(const InstanceFilter& filter, Page page) {
    const Result<IdRange> range = range_of(filter, page);
    if (!range) return range.error();
    const MutexLock guard(state_.mutex);
    Pager<Instance> pager(page);
    const auto add = [&](const auto& entry) {
        const Instance& row = entry.second.row;
        if (!matches(filter, row)) return;
        pager.add(row, is_in(*range, row.key.id.value), std::ssize(row.variables.text()));
    };
    if (filter.oldest_first) {
        std::ranges::for_each(state_.tables.instances, add);
    } else {
        std::ranges::for_each(state_.tables.instances | std::views::reverse, add);
    }
    return pager.take();
}

Result<std::optional<InstanceHistory>> MemoryReader::history(const InstanceKey& key,
                                                             const HistoryPart& part) {
    const MutexLock guard(state_.mutex);
    const auto found = state_.tables.instances.find(key);
    if (found == state_.tables.instances.end()) return std::optional<InstanceHistory>{};
    InstanceHistory history{.instance = found->second.row};
    std::int64_t bytes = 0;
    for (const auto& [line_key, line] : state_.tables.step_executions) {
        const bool belongs =
            instance_of(line_key.id) == key.id && line_key.workspace_id == key.workspace_id;
        if (!belongs || line_key.id.value.sequence() <= part.after) continue;
        const bool is_full = std::ssize(history.closed) == part.count_max;
        history.has_more = is_full || bytes >= part.bytes_max;
        if (history.has_more) break;
        for (const Try& each : line.tries) bytes += std::ssize(each.message);
        bytes += std::ssize(line.failure_reason.value_or(""));
        history.closed.push_back(line);
    }
    return std::optional(std::move(history));
}

Result<std::optional<Job>> MemoryReader::job(const JobKey& key) {
    const MutexLock guard(state_.mutex);
    const auto found = state_.tables.jobs.find(key);
    if (found == state_.tables.jobs.end()) return std::optional<Job>{};
    return std::optional(found->second.row);
}

Result<Listing<Job>> MemoryReader::jobs(const JobFilter& filter, Page page) {
    const Result<IdRange> range = range_of(filter, page);
    const Result<IdRange> whole = range_of(filter, Page{});
    if (!range) return range.error();
    const MutexLock guard(state_.mutex);
    Pager<Job> pager(page);
    for (const auto& [key, row] : state_.tables.jobs) {
        if (!is_in(*whole, key.id.value) || !matches(filter, row.row)) continue;
        Job shown = row.row;
        shown.variables.reset();
        pager.add(shown, is_in(*range, key.id.value));
    }
    return pager.take();
}

Result<std::optional<UserTask>> MemoryReader::user_task(const UserTaskKey& key) {
    const MutexLock guard(state_.mutex);
    const auto found = state_.tables.user_tasks.find(key);
    if (found == state_.tables.user_tasks.end()) return std::optional<UserTask>{};
    return std::optional(found->second);
}

Result<Listing<UserTask>> MemoryReader::user_tasks(const UserTaskFilter& filter, Page page) {
    const Result<IdRange> range = range_of(filter, page);
    const Result<IdRange> whole = range_of(filter, Page{});
    if (!range) return range.error();
    const MutexLock guard(state_.mutex);
    Pager<UserTask> pager(page);
    for (const auto& [key, task] : state_.tables.user_tasks | std::views::reverse) {
        const bool is_counted = is_in(*whole, key.id.value) && matches(filter, task);
        if (is_counted) pager.add(task, is_in(*range, key.id.value));
    }
    return pager.take();
}

Result<std::optional<ApiKey>> MemoryReader::api_key(const std::string& id) {
    const MutexLock guard(state_.mutex);
    const auto found = state_.tables.api_keys.find(id);
    if (found == state_.tables.api_keys.end()) return std::optional<ApiKey>{};
    return std::optional(found->second);
}

Result<Listing<ApiKey>> MemoryReader::api_keys(const ApiKeyFilter& filter, Page page) {
    const MutexLock guard(state_.mutex);
    Pager<ApiKey> pager(page);
    for (const auto& [id, key] : state_.tables.api_keys) {
        if (filter.workspace_id && key.workspace_id != filter.workspace_id) continue;
        pager.add(key, id > page.after);
    }
    return pager.take();
}

Result<Listing<AuditEntry>> MemoryReader::audit(const AuditFilter& filter, Page page) {
    const Result<IdRange> range = range_of(filter, page);
    if (!range) return range.error();
    const MutexLock guard(state_.mutex);
    Pager<AuditEntry> pager(page);
    for (const auto& [key, entry] : state_.tables.audit_entries | std::views::reverse) {
        if (matches(filter, entry)) pager.add(entry, is_in(*range, key.id.value));
    }
    return pager.take();
}

Result<std::optional<Instant>> MemoryReader::oldest_idempotency_record() {
    const MutexLock guard(state_.mutex);
    std::optional<Instant> oldest;
    for (const auto& [key, record] : state_.tables.idempotency_records) {
        oldest = std::min(oldest.value_or(record.created_at), record.created_at);
    }
    return oldest;
}

Result<std::vector<Due<TimerKey>>> MemoryReader::due_timers(
    Instant now, const std::optional<Due<TimerKey>>& after, std::int32_t count_max) {
    const MutexLock guard(state_.mutex);
    std::vector<std::pair<Instant, TimerKey>> due;
    for (const auto& [key, timer] : state_.tables.timers) {
        if (timer.fire_at <= now) due.emplace_back(timer.fire_at, key);
    }
    return first_due_after(std::move(due), after, count_max);
}

Result<std::optional<Instant>> MemoryReader::next_timer(Instant after) {
    const MutexLock guard(state_.mutex);
    std::optional<Instant> next;
    for (const auto& [key, timer] : state_.tables.timers) {
        if (timer.fire_at <= after) continue;
        if (!next || timer.fire_at < *next) next = timer.fire_at;
    }
    return next;
}

Result<std::vector<Due<JobKey>>> MemoryReader::expired_leases(
    Instant now, const std::optional<Due<JobKey>>& after, std::int32_t count_max) {
    const MutexLock guard(state_.mutex);
    std::vector<std::pair<Instant, JobKey>> due;
    for (const auto& [key, row] : state_.tables.jobs) {
        const std::optional<Lease>& lease = row.row.lease;
        if (lease && lease->lock_expires_at <= now) due.emplace_back(lease->lock_expires_at, key);
    }
    return first_due_after(std::move(due), after, count_max);
}

Result<std::optional<Instant>> MemoryReader::next_lease_expiry(Instant after) {
    const MutexLock guard(state_.mutex);
    std::optional<Instant> next;
    for (const auto& [key, row] : state_.tables.jobs) {
        const std::optional<Lease>& lease = row.row.lease;
        if (!lease || lease->lock_expires_at <= after) continue;
        if (!next || lease->lock_expires_at < *next) next = lease->lock_expires_at;
    }
    return next;
}

Result<std::optional<DefinitionName>> MemoryReader::next_definition(const DefinitionName& after) {
    const MutexLock guard(state_.mutex);
    std::optional<DefinitionName> next;
    const auto consider = [&](const WorkspaceId& workspace_id, const std::string& id) {
        const auto place = std::tie(id, workspace_id);
        if (place <= std::tie(after.id, after.workspace_id)) return;
        if (!next || place < std::tie(next->id, next->workspace_id)) next = {workspace_id, id};
    };
    const MemoryTables& tables = state_.tables;
    for (const auto& [key, stored] : tables.definitions) consider(key.workspace_id, key.id);
    for (const auto& [key, stored] : tables.instances) {
        consider(key.workspace_id, stored.row.definition.id);
    }
    for (const auto& [key, stored] : tables.executions) {
        consider(key.workspace_id, stored.row.execution.definition.id);
    }
    return next;
}

Result<std::vector<InstanceEnd>> MemoryReader::instance_ends(const DefinitionName& definition,
                                                             InstanceId after, InstanceId before,
                                                             std::int32_t count_max) {
    const MutexLock guard(state_.mutex);
    std::vector<InstanceEnd> ends;
    for (const auto& [key, stored] : state_.tables.instances) {
        if (std::ssize(ends) == count_max) break;
        const bool is_asked = key.id > after && key.id < before &&
                              key.workspace_id == definition.workspace_id &&
                              stored.row.definition.id == definition.id;
        if (is_asked) ends.push_back({key.id, stored.row.completed_at});
    }
    return ends;
}

Result<std::optional<WorkspaceId>> MemoryReader::next_audited_workspace(const WorkspaceId& after) {
    const MutexLock guard(state_.mutex);
    std::optional<WorkspaceId> next;
    for (const auto& [key, entry] : state_.tables.audit_entries) {
        if (key.workspace_id <= after) continue;
        if (!next || key.workspace_id < *next) next = key.workspace_id;
    }
    return next;
}

Result<std::vector<AuditKey>> MemoryReader::oldest_audit_entries(const WorkspaceId& workspace_id,
                                                                 AuditEntryId before,
                                                                 std::int32_t count_max) {
    const MutexLock guard(state_.mutex);
    std::vector<AuditKey> keys;
    for (const auto& [key, entry] : state_.tables.audit_entries) {
        if (key.id >= before || std::ssize(keys) == count_max) break;
        if (key.workspace_id == workspace_id) keys.push_back(key);
    }
    return keys;
}

}  // namespace millrace
