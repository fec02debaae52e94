#include "simulator/ledger.hpp"

#include "base/json/parse.hpp"
#include "core/definition/parse_definition.hpp"
#include "core/queue/transitions.hpp"

namespace millrace::sim {

namespace {

template <class Table, class Key>
auto* find_in(const Table& table, const Key& key) {
    const auto found = table.find(key);
    return found == table.end() ? nullptr : &found->second;
}

template <class Key>
InstanceKey instance_key_of(const Key& key) {
    return {instance_of(key.id), key.workspace_id};
}

template <class Key>
std::string named_by_id(const char* noun, const Key& key) {
    return std::string(noun) + " " + to_string(key.id.value) + " of " + key.workspace_id.value;
}

// Puts a row in the table and keeps what was there.
template <class Table, class Key, class Row>
RowChange<Row> replaced(Table& table, const Key& key, const Row& row) {
    RowChange<Row> change;
    auto [place, is_new] = table.try_emplace(key, row);
    if (!is_new) change.before = std::exchange(place->second, row);
    change.after = &place->second;
    return change;
}

template <class Row, class Table, class Key>
RowChange<Row> removed_from(Table& table, const Key& key) {
    RowChange<Row> change;
    const auto found = table.find(key);
    if (found == table.end()) return change;
    change.before = std::move(found->second);
    table.erase(found);
    return change;
}

}  // namespace

Ledger::Ledger() {
    const WorkspaceId id{kDefaultWorkspace};
    rows_.workspaces[id] = {.id = id, .name = id.value, .plan = "UNLIMITED"};
}

Changes Ledger::apply(const Writes& writes, Instant at) {
    Changes changes{.at = at, .writes = &writes};
    write_definitions(writes, changes);
    write_workspaces(writes, changes);
    write_instances(writes, changes);
    write_jobs(writes, changes);
    write_timers(writes, changes);
    write_user_tasks(writes, changes);
    write_history(writes, changes);
    write_executions(writes, changes);
    write_idempotency(writes, changes);
    remove_instances(writes, changes);
    note_job_variables(writes);
    return changes;
}

Changes Ledger::claim(const std::vector<DeliveredJob>& jobs, Instant at) {
    static const Writes nothing;
    Changes changes{.at = at, .writes = &nothing};
    for (const DeliveredJob& delivered : jobs) {
        Job locked = delivered.job;
        const auto found = rows_.jobs.find(locked.key);
        if (found == rows_.jobs.end()) {
            changes.misfits.push_back(named(locked.key) + " is claimed, but there is none");
            continue;
        }
        // What is delivered is no part of the row.
        locked.variables = found->second.variables;
        changes.jobs.push_back(replaced(rows_.jobs, locked.key, locked));
        changes.instances_touched.insert(instance_key_of(locked.key));
    }
    return changes;
}

void Ledger::write_instances(const Writes& writes, Changes& changes) {
    for (const Instance& row : writes.instances_new) {
        if (!instances_ever_.insert(row.key).second) {
            changes.misfits.push_back(named(row.key) + " is made twice");
        }
        note_definition(row.key.workspace_id, row.definition);
        if (row.parent_id) {
            const InstanceKey parent{*row.parent_id, row.key.workspace_id};
            if (!children_.try_emplace(parent, row.key).second) {
                changes.misfits.push_back(named(parent) + " has two successors");
            }
        }
        changes.instances.push_back(replaced(rows_.instances, row.key, row));
        changes.instances_touched.insert(row.key);
    }
    for (const Instance& row : writes.instances_changed) {
        if (!rows_.instances.contains(row.key)) {
            changes.misfits.push_back(named(row.key) + " is changed, but there is none");
        }
        changes.instances.push_back(replaced(rows_.instances, row.key, row));
        changes.instances_touched.insert(row.key);
    }
}

void Ledger::write_jobs(const Writes& writes, Changes& changes) {
    for (const Job& row : writes.jobs_new) {
        if (!jobs_ever_.insert(row.key).second) {
            changes.misfits.push_back(named(row.key) + " is made twice");
        }
        changes.jobs.push_back(replaced(rows_.jobs, row.key, row));
    }
    for (const Job& row : writes.jobs_changed) {
        if (!rows_.jobs.contains(row.key)) {
            changes.misfits.push_back(named(row.key) + " is changed, but there is none");
            continue;
        }
        changes.jobs.push_back(replaced(rows_.jobs, row.key, row));
    }
    for (const JobVariables& row : writes.job_variables) {
        const auto found = rows_.jobs.find(row.key);
        if (found != rows_.jobs.end()) found->second.variables = row.variables;
        changes.instances_touched.insert(instance_key_of(row.key));
    }
    // Some may have no row any more.
    for (const JobKey& key : writes.jobs_removed) {
        RowChange<Job> change = removed_from<Job>(rows_.jobs, key);
        if (change.before) changes.jobs.push_back(std::move(change));
    }
    for (const RowChange<Job>& change : changes.jobs) {
        const JobKey& key = change.after ? change.after->key : change.before->key;
        changes.instances_touched.insert(instance_key_of(key));
    }
}

void Ledger::write_timers(const Writes& writes, Changes& changes) {
    for (const Timer& row : writes.timers_new) {
        if (rows_.timers.contains(row.key)) {
            changes.misfits.push_back(named_by_id("timer", row.key) + " is made twice");
        }
        changes.timers.push_back(replaced(rows_.timers, row.key, row));
        changes.instances_touched.insert(instance_key_of(row.key));
    }
    for (const TimerKey& key : writes.timers_removed) {
        RowChange<Timer> change = removed_from<Timer>(rows_.timers, key);
        if (change.before) changes.timers.push_back(std::move(change));
        changes.instances_touched.insert(instance_key_of(key));
    }
}

void Ledger::write_user_tasks(const Writes& writes, Changes& changes) {
    const auto put = [&](const UserTask& row, bool is_new) {
        if (rows_.user_tasks.contains(row.key) == is_new) {
            changes.misfits.push_back(named_by_id("user task", row.key) +
                                      (is_new ? " is made twice" : " is not there to be changed"));
        }
        changes.user_tasks.push_back(replaced(rows_.user_tasks, row.key, row));
        changes.instances_touched.insert(instance_key_of(row.key));
    };
    for (const UserTask& row : writes.user_tasks_new) put(row, true);
    for (const UserTask& row : writes.user_tasks_changed) put(row, false);
    for (const UserTaskEnd& end : writes.user_tasks_ended) {
        const auto found = rows_.user_tasks.find(end.key);
        if (found == rows_.user_tasks.end()) continue;
        UserTask over = found->second;
        over.status = end.status;
        over.ended_at = end.ended_at;
        over.completed_by = end.completed_by;
        put(over, false);
    }
}

void Ledger::write_history(const Writes& writes, Changes& changes) {
    for (const StepExecution& line : writes.step_executions) {
        if (!rows_.history.try_emplace(line.key, line).second) {
            changes.misfits.push_back(named(line.key) + " has two lines of history");
        }
        changes.instances_touched.insert(instance_key_of(line.key));
    }
}

void Ledger::write_definitions(const Writes& writes, Changes& changes) {
    for (const DefinitionRecord& row : writes.definitions) {
        const DefinitionKey key{row.workspace_id, row.id, row.version};
        const bool is_next =
            row.version == 1
                ? !rows_.definitions.contains(key)
                : rows_.definitions.contains({key.workspace_id, key.id, row.version - 1});
        DefinitionVersion version{.canonical = row.canonical};
        const auto document = json::parse(row.content);
        if (document) {
            const Result<DefinitionPtr> parsed = parse_stored_definition(*document);
            if (parsed) version.definition = *parsed;
        }
        const bool is_new = rows_.definitions.try_emplace(key, std::move(version)).second;
        if (is_new && is_next) continue;
        changes.misfits.push_back("version " + std::to_string(row.version) + " of definition " +
                                  row.id + " is not the next one");
    }
}

void Ledger::write_idempotency(const Writes& writes, Changes& changes) {
    if (writes.idempotency_forgotten_before) {
        std::erase_if(rows_.idempotency_records, [&](const auto& entry) {
            return entry.second.created_at < *writes.idempotency_forgotten_before;
        });
    }
    for (const IdempotencyRecord& row : writes.idempotency_records) {
        if (!rows_.idempotency_records.try_emplace(row.key, row).second) {
            changes.misfits.push_back("the key " + row.key.key + " of " + row.key.operation +
                                      " has taken effect twice");
        }
    }
}

void Ledger::write_executions(const Writes& writes, Changes& changes) {
    std::map<ExecutionKey, std::optional<Execution>> before;
    const auto put = [&](const Execution& row) {
        RowChange<Execution> change = replaced(rows_.executions, row.key, row);
        if (change.before) count_slot(*change.before, -1);
        count_slot(row, 1);
        before.try_emplace(row.key, std::move(change.before));
    };
    for (const NewExecution& row : writes.executions_new) {
        if (!executions_ever_.insert(row.execution.key).second) {
            changes.misfits.push_back(named(row.execution.key) + " is made twice");
        }
        note_definition(row.execution.key.workspace_id, row.execution.definition);
        put(row.execution);
    }
    for (const Execution& row : writes.executions_changed) {
        if (find(row.key) == nullptr) {
            changes.misfits.push_back(named(row.key) + " is changed, but there is none");
        }
        put(row);
    }
    for (const ExecutionMove& move : writes.executions_moved) {
        const Execution* found = find(move.key);
        if (found == nullptr || !is_open(found->queue_status)) continue;
        Execution moved = *found;
        moved.instance_id = move.instance_id;
        put(moved);
    }
    for (const ExecutionEnd& end : writes.executions_ended) {
        const Execution* found = find(end.key);
        if (found == nullptr) continue;
        if (const auto over = ended(*found, end)) put(*over);
    }
    for (const ExecutionResult& row : writes.execution_results) {
        rows_.results[row.key] = row.result;
    }
    for (auto& [key, row] : before) {
        changes.executions.push_back({std::move(row), &rows_.executions.at(key)});
    }
    for (const ExecutionKey& key : writes.executions_removed) {
        RowChange<Execution> change = removed_from<Execution>(rows_.executions, key);
        if (!change.before) continue;
        count_slot(*change.before, -1);
        rows_.results.erase(key);
        changes.executions.push_back(std::move(change));
    }
}

void Ledger::write_workspaces(const Writes& writes, Changes& changes) {
    for (const WorkspaceId& id : writes.workspaces_removed) {
        RowChange<Workspace> change = removed_from<Workspace>(rows_.workspaces, id);
        if (change.before) changes.workspaces.push_back(std::move(change));
        rows_.lines.erase(id);
        std::erase_if(rows_.definitions,
                      [&](const auto& entry) { return entry.first.workspace_id == id; });
    }
    for (const Workspace& row : writes.workspaces) {
        changes.workspaces.push_back(replaced(rows_.workspaces, row.id, row));
    }
    for (const LineChange& row : writes.lines) rows_.lines[row.workspace_id] = row.state;
}

void Ledger::remove_instances(const Writes& writes, Changes& changes) {
    for (const InstanceKey& key : writes.instances_removed) {
        RowChange<Instance> change = removed_from<Instance>(rows_.instances, key);
        if (!change.before) continue;
        changes.instances.push_back(std::move(change));
        const auto is_part = [&](const auto& entry) {
            return instance_key_of(entry.first) == key;
        };
        std::erase_if(rows_.history, is_part);
        std::erase_if(rows_.user_tasks, is_part);
    }
}

void Ledger::note_definition(const WorkspaceId& workspace_id, const DefinitionRef& ref) {
    const auto* version =
        find_in(rows_.definitions, DefinitionKey{workspace_id, ref.id, ref.version});
    if (version != nullptr) definitions_by_row_.try_emplace(ref.row_id, version->definition);
}

// What a new job shows from now on: its own variables, or those of its instance as they are now.
void Ledger::note_job_variables(const Writes& writes) {
    for (const Job& row : writes.jobs_new) {
        const Instance* instance = find(instance_key_of(row.key));
        if (row.variables) {
            job_variables_[row.key] = *row.variables;
        } else if (instance != nullptr) {
            job_variables_[row.key] = instance->variables;
        }
    }
    for (const JobKey& key : writes.jobs_removed) job_variables_.erase(key);
}

void Ledger::count_slot(const Execution& execution, int difference) {
    if (!is_active(execution.queue_status)) return;
    const WorkspaceId& id = execution.key.workspace_id;
    active_[id] += difference;
    if (execution.concurrency_key.empty()) return;
    active_of_key_[{id, execution.concurrency_key}] += difference;
}

const Instance* Ledger::find(const InstanceKey& key) const {
    return find_in(rows_.instances, key);
}

const Execution* Ledger::find(const ExecutionKey& key) const {
    return find_in(rows_.executions, key);
}

const Job* Ledger::find(const JobKey& key) const {
    return find_in(rows_.jobs, key);
}

const StepExecution* Ledger::find(const StepExecutionKey& key) const {
    return find_in(rows_.history, key);
}

const UserTask* Ledger::find(const UserTaskKey& key) const {
    return find_in(rows_.user_tasks, key);
}

const Workspace* Ledger::find(const WorkspaceId& id) const {
    return find_in(rows_.workspaces, id);
}

const Definition* Ledger::definition_of(const DefinitionRef& ref) const {
    const DefinitionPtr* found = find_in(definitions_by_row_, ref.row_id);
    return found == nullptr ? nullptr : found->get();
}

std::int64_t Ledger::active_in(const WorkspaceId& id) const {
    const std::int64_t* count = find_in(active_, id);
    return count == nullptr ? 0 : *count;
}

std::int64_t Ledger::active_of(const WorkspaceId& id, const std::string& concurrency_key) const {
    const std::int64_t* count = find_in(active_of_key_, ConcurrencyKey{id, concurrency_key});
    return count == nullptr ? 0 : *count;
}

const Variables* Ledger::variables_of(const JobKey& key) const {
    return find_in(job_variables_, key);
}

const InstanceKey* Ledger::child_of(const InstanceKey& key) const {
    return find_in(children_, key);
}

std::string named(const InstanceKey& key) {
    return named_by_id("instance", key);
}

std::string named(const JobKey& key) {
    return named_by_id("job", key);
}

std::string named(const ExecutionKey& key) {
    return named_by_id("execution", key);
}

std::string named(const StepExecutionKey& key) {
    return named_by_id("step execution", key);
}

}  // namespace millrace::sim
