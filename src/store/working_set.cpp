#include "store/working_set.hpp"

#include <algorithm>
#include <iterator>
#include <type_traits>

#include "base/check.hpp"
#include "core/queue/transitions.hpp"

namespace millrace {

namespace {

template <class Map, class Key>
auto* find_row(const Map& map, const Key& key) {
    const auto found = map.find(key);
    return found != map.end() && found->second.row ? &*found->second.row : nullptr;
}

template <class Map, class Row>
void put(Map& map, Row row) {
    auto& entry = map[row.key];
    entry.row = std::move(row);
    entry.is_changed = true;
}

template <class Map, class Key>
void remove(Map& map, const Key& key, bool may_be_stored) {
    auto [found, is_unknown] = map.try_emplace(key);
    if (is_unknown) found->second.is_stored = may_be_stored;
    found->second.row.reset();
    found->second.is_changed = true;
}

template <class Row>
void append(std::vector<Row>& to, std::vector<Row>& from) {
    std::ranges::move(from, std::back_inserter(to));
}

// Hands the rows of a table over to the lists of a write.
template <class Map, class Row>
void drain(Map& map, std::vector<Row>& rows_new,
           std::type_identity_t<std::vector<Row>*> rows_changed,
           std::vector<typename Map::key_type>* rows_removed) {
    for (auto& [key, entry] : map) {
        if (!entry.is_changed) continue;
        if (entry.row && !entry.is_stored) {
            rows_new.push_back(std::move(*entry.row));
        } else if (entry.row) {
            MILLRACE_CHECK(rows_changed != nullptr);
            rows_changed->push_back(std::move(*entry.row));
        } else if (entry.is_stored) {
            MILLRACE_CHECK(rows_removed != nullptr);
            rows_removed->push_back(key);
        }
    }
}

}  // namespace

void WorkingSet::add(const Footprint& asked, LoadedRows rows) {
    if (!rows.unreadable.empty()) unreadable_.add(std::move(rows.unreadable));
    for (Instance& row : rows.instances) {
        const InstanceKey key = row.key;
        instances_.try_emplace(key, Entry<Instance>{.row = std::move(row), .is_stored = true});
    }
    for (Job& row : rows.jobs) {
        const JobKey key = row.key;
        // The batch may have given it a snapshot before it was loaded.
        const auto snapshot = job_variables_.find(key);
        if (snapshot != job_variables_.end()) row.variables = snapshot->second;
        jobs_.try_emplace(key, Entry<Job>{.row = std::move(row), .is_stored = true});
    }
    jobs_asked_.insert(asked.jobs.begin(), asked.jobs.end());
    user_tasks_asked_.insert(asked.user_tasks.begin(), asked.user_tasks.end());
    for (UserTask& row : rows.user_tasks) {
        const UserTaskKey key = row.key;
        user_tasks_.try_emplace(key, Entry<UserTask>{.row = std::move(row), .is_stored = true});
    }
    for (IdempotencyRecord& row : rows.idempotency_records) {
        const IdempotencyKey key = row.key;
        idempotency_records_.try_emplace(key, std::move(row));
    }
    for (ApiKey& row : rows.api_keys) {
        const std::string id = row.id;
        api_keys_.try_emplace(id, std::move(row));
    }
    for (StepExecution& row : rows.step_executions) {
        const StepExecutionKey key = row.key;
        step_executions_.try_emplace(key, std::move(row));
    }
    step_executions_asked_.insert(asked.step_executions.begin(), asked.step_executions.end());
    for (auto& [key, row] : rows.definitions) {
        // Instances that the batch starts run it, and later commands of the batch may run them on.
        if (row) definitions_by_row_.insert_or_assign(row->ref.row_id, *row);
        definitions_.insert_or_assign(key, std::move(row));
    }
    for (auto& [key, row] : rows.uploads) uploads_.insert_or_assign(key, row);
    for (DefinitionRow& row : rows.instance_definitions) {
        const std::int64_t row_id = row.ref.row_id;
        definitions_by_row_.insert_or_assign(row_id, std::move(row));
    }
    const auto add_execution = [this](const Execution& row) {
        executions_.try_emplace(row.key, Entry<Execution>{.row = row, .is_stored = true});
    };
    for (const Execution& row : rows.executions) add_execution(row);
    for (Workspace& row : rows.workspaces) {
        const WorkspaceId id = row.id;
        workspaces_.try_emplace(id, std::move(row));
    }
    if (!asked.admission) return;
    admission_ = std::move(rows.admission);
    for (const Execution& row : admission_.orphans) add_execution(row);
    for (const WorkspaceLine& line : admission_.lines) {
        for (const WaitingExecution& waiting : line.ready) {
            add_execution(waiting.execution);
            if (!waiting.instance) continue;
            const Instance& instance = *waiting.instance;
            instances_.try_emplace(instance.key,
                                   Entry<Instance>{.row = instance, .is_stored = true});
        }
    }
}

const Instance* WorkingSet::find(const InstanceKey& key) const {
    return find_row(instances_, key);
}

const Job* WorkingSet::find(const JobKey& key) const {
    return find_row(jobs_, key);
}

const UserTask* WorkingSet::find(const UserTaskKey& key) const {
    return find_row(user_tasks_, key);
}

const IdempotencyRecord* WorkingSet::find(const IdempotencyKey& key) const {
    const auto found = idempotency_records_.find(key);
    return found == idempotency_records_.end() ? nullptr : &found->second;
}

const StepExecution* WorkingSet::find(const StepExecutionKey& key) const {
    const auto found = step_executions_.find(key);
    return found == step_executions_.end() ? nullptr : &found->second;
}

const DefinitionRow* WorkingSet::find(const DefinitionKey& key) const {
    const auto found = definitions_.find(key);
    return found != definitions_.end() && found->second ? &*found->second : nullptr;
}

const UploadRow* WorkingSet::find(const UploadKey& key) const {
    const auto found = uploads_.find(key);
    return found == uploads_.end() ? nullptr : &found->second;
}

const ApiKey* WorkingSet::find_api_key(const std::string& id) const {
    const auto found = api_keys_.find(id);
    return found == api_keys_.end() ? nullptr : &found->second;
}

const DefinitionRow* WorkingSet::definition_of(const Instance& instance) const {
    const auto found = definitions_by_row_.find(instance.definition.row_id);
    return found == definitions_by_row_.end() ? nullptr : &found->second;
}

const DefinitionRow* WorkingSet::definition_of(const Execution& execution) const {
    const auto found = definitions_by_row_.find(execution.definition.row_id);
    return found == definitions_by_row_.end() ? nullptr : &found->second;
}

const Execution* WorkingSet::find(const ExecutionKey& key) const {
    return find_row(executions_, key);
}

const Workspace* WorkingSet::find_workspace(const WorkspaceId& id) const {
    const auto found = workspaces_.find(id);
    return found == workspaces_.end() ? nullptr : &found->second;
}

const LineState* WorkingSet::find_changed_line(const WorkspaceId& id) const {
    const auto found = lines_.find(id);
    return found == lines_.end() ? nullptr : &found->second;
}

bool WorkingSet::has_asked(const JobKey& key) const {
    return jobs_asked_.contains(key) || jobs_.contains(key);
}

bool WorkingSet::has_asked(const UserTaskKey& key) const {
    return user_tasks_asked_.contains(key) || user_tasks_.contains(key);
}

bool WorkingSet::has_asked(const StepExecutionKey& key) const {
    return step_executions_asked_.contains(key) || step_executions_.contains(key);
}

bool WorkingSet::has_asked(const DefinitionKey& key) const {
    return definitions_.contains(key);
}

void WorkingSet::absorb(Effects effects) {
    for (Instance& row : effects.instances) put(instances_, std::move(row));
    for (const InstanceKey& key : effects.instances_removed) remove(instances_, key, true);
    for (Job& row : effects.jobs) put(jobs_, std::move(row));
    for (const JobKey& key : effects.jobs_removed) remove(jobs_, key, true);
    for (JobVariables& snapshot : effects.job_variables) {
        const auto loaded = jobs_.find(snapshot.key);
        if (loaded != jobs_.end() && loaded->second.row) {
            loaded->second.row->variables = std::move(snapshot.variables);
            loaded->second.is_changed = true;
        } else if (loaded == jobs_.end()) {
            job_variables_.insert_or_assign(snapshot.key, std::move(snapshot.variables));
        }
    }
    for (Timer& row : effects.timers) put(timers_, std::move(row));
    for (const TimerKey& key : effects.timers_removed) remove(timers_, key, true);
    for (UserTask& row : effects.user_tasks) put(user_tasks_, std::move(row));
    for (UserTaskEnd& end : effects.user_tasks_ended) end_user_task(std::move(end));
    for (StepExecution& row : effects.step_executions) {
        step_executions_.insert_or_assign(row.key, row);
        step_executions_new_.push_back(std::move(row));
    }
    for (IdempotencyRecord& record : effects.idempotency_records) {
        idempotency_records_.insert_or_assign(record.key, record);
        appended_.idempotency_records.push_back(std::move(record));
    }
    if (effects.idempotency_forgotten_before) {
        appended_.idempotency_forgotten_before = effects.idempotency_forgotten_before;
    }
    append(appended_.audit_entries, effects.audit_entries);
    append(appended_.audit_removed, effects.audit_removed);
    for (const ApiKey& key : effects.api_keys) api_keys_.insert_or_assign(key.id, key);
    for (const ApiKeyRevocation& revocation : effects.api_keys_revoked) {
        const auto found = api_keys_.find(revocation.id);
        if (found != api_keys_.end()) found->second.revoked_at = revocation.revoked_at;
    }
    append(appended_.api_keys, effects.api_keys);
    append(appended_.api_keys_revoked, effects.api_keys_revoked);
    for (DefinitionRecord& record : effects.definitions) {
        for (auto& [key, row] : uploads_) {
            if (key.workspace_id != record.workspace_id || key.id != record.id) continue;
            row.latest_version = record.version;
            if (key.canonical != record.canonical) continue;
            row.same_version = record.version;
            row.same_uploaded_at = record.uploaded_at;
        }
        definitions_new_.push_back(std::move(record));
    }
    absorb_executions(effects);
}

void WorkingSet::absorb_executions(Effects& effects) {
    for (NewExecution& row : effects.executions_new) {
        execution_inputs_.insert_or_assign(row.execution.key, std::move(row.input));
        put(executions_, std::move(row.execution));
    }
    for (Execution& row : effects.executions) {
        executions_ended_.erase(row.key);  // What it is now is written whole.
        put(executions_, std::move(row));
    }
    for (const ExecutionKey& key : effects.executions_removed) remove(executions_, key, true);
    for (const ExecutionMove& move : effects.executions_moved) move_execution(move);
    for (ExecutionEnd& end : effects.executions_ended) end_execution(std::move(end));
    for (ExecutionResult& result : effects.execution_results) {
        execution_results_.insert_or_assign(result.key, std::move(result.result));
    }
    for (const Workspace& row : effects.workspaces) {
        workspaces_.insert_or_assign(row.id, row);
        workspaces_changed_.insert_or_assign(row.id, row);
    }
    for (const WorkspaceId& id : effects.workspaces_removed) {
        workspaces_.erase(id);
        workspaces_changed_.erase(id);
    }
    append(appended_.workspaces_removed, effects.workspaces_removed);
    for (const LineChange& line : effects.lines) {
        lines_.insert_or_assign(line.workspace_id, line.state);
    }
}

// As for user tasks.
void WorkingSet::move_execution(const ExecutionMove& move) {
    const auto found = executions_.find(move.key);
    if (found == executions_.end()) {
        executions_moved_.insert_or_assign(move.key, move);
        return;
    }
    std::optional<Execution>& row = found->second.row;
    if (!row || !is_open(row->queue_status)) return;
    row->instance_id = move.instance_id;
    found->second.is_changed = true;
}

void WorkingSet::end_execution(ExecutionEnd end) {
    const auto found = executions_.find(end.key);
    if (found == executions_.end()) {
        const ExecutionKey key = end.key;
        executions_ended_.try_emplace(key, std::move(end));
        return;
    }
    if (!found->second.row) return;
    std::optional<Execution> over = ended(*found->second.row, end);
    if (!over) return;
    found->second.row = std::move(over);
    if (end.is_all_that_is_written && !found->second.is_changed) {
        executions_ended_.insert_or_assign(end.key, end);
    } else {
        found->second.is_changed = true;
    }
}

// A row that the batch has in hand ends there; any other only hears how it ended.
void WorkingSet::end_user_task(UserTaskEnd end) {
    const auto found = user_tasks_.find(end.key);
    if (found == user_tasks_.end()) {
        const UserTaskKey key = end.key;
        user_tasks_ended_.insert_or_assign(key, std::move(end));
        return;
    }
    UserTask& task = found->second.row.value();
    task.status = end.status;
    task.ended_at = end.ended_at;
    task.completed_by = std::move(end.completed_by);
    found->second.is_changed = true;
}

Writes WorkingSet::take_writes() {
    Writes writes;
    drain(instances_, writes.instances_new, &writes.instances_changed, &writes.instances_removed);
    drain(jobs_, writes.jobs_new, &writes.jobs_changed, &writes.jobs_removed);
    drain(timers_, writes.timers_new, nullptr, &writes.timers_removed);
    drain(user_tasks_, writes.user_tasks_new, &writes.user_tasks_changed, nullptr);
    for (auto& [key, end] : user_tasks_ended_) writes.user_tasks_ended.push_back(std::move(end));
    for (auto& [key, variables] : job_variables_) {
        const auto job = jobs_.find(key);
        if (job != jobs_.end() && !job->second.row) continue;  // Removed later in the batch.
        writes.job_variables.push_back({key, std::move(variables)});
    }
    writes.step_executions = std::move(step_executions_new_);
    std::ranges::sort(writes.step_executions, {}, &StepExecution::key);
    writes.definitions = std::move(definitions_new_);
    writes.idempotency_records = std::move(appended_.idempotency_records);
    std::ranges::sort(writes.idempotency_records, {}, &IdempotencyRecord::key);
    writes.idempotency_forgotten_before = appended_.idempotency_forgotten_before;
    writes.audit_entries = std::move(appended_.audit_entries);
    std::ranges::sort(writes.audit_entries, {}, &AuditEntry::key);
    writes.audit_removed = std::move(appended_.audit_removed);
    std::ranges::sort(writes.audit_removed);
    writes.api_keys = std::move(appended_.api_keys);
    std::ranges::sort(writes.api_keys, {}, &ApiKey::id);
    writes.api_keys_revoked = std::move(appended_.api_keys_revoked);
    std::ranges::sort(writes.api_keys_revoked, {}, &ApiKeyRevocation::id);
    take_executions(writes);
    return writes;
}

void WorkingSet::take_executions(Writes& writes) {
    for (auto& [key, entry] : executions_) {
        if (!entry.is_changed) continue;
        if (!entry.row) {
            if (entry.is_stored) writes.executions_removed.push_back(key);
        } else if (entry.is_stored) {
            writes.executions_changed.push_back(std::move(*entry.row));
        } else {
            writes.executions_new.push_back(
                {std::move(*entry.row), std::move(execution_inputs_[key])});
        }
    }
    for (auto& [key, move] : executions_moved_) {
        // Its end tells the same.
        if (!executions_ended_.contains(key)) writes.executions_moved.push_back(move);
    }
    for (auto& [key, end] : executions_ended_) writes.executions_ended.push_back(std::move(end));
    for (auto& [key, result] : execution_results_) {
        writes.execution_results.push_back({key, std::move(result)});
    }
    for (auto& [id, row] : workspaces_changed_) writes.workspaces.push_back(std::move(row));
    writes.workspaces_removed = std::move(appended_.workspaces_removed);
    std::ranges::sort(writes.workspaces_removed);
    for (const auto& [id, state] : lines_) writes.lines.push_back({id, state});
}

}  // namespace millrace
