#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "core/definition/definition.hpp"
#include "store/effects.hpp"
#include "store/footprint.hpp"
#include "store/job_claimer.hpp"

namespace millrace::sim {

// One row before and after a commit. `after` points into the ledger and holds until the next
// commit; null: the row is gone.
template <class Row>
struct RowChange {
    std::optional<Row> before{};
    const Row* after = nullptr;
};

// What one commit has changed.
struct Changes {
    Instant at{};  // By the store's true time.
    const Writes* writes = nullptr;
    std::vector<RowChange<Instance>> instances{};
    std::vector<RowChange<Job>> jobs{};
    std::vector<RowChange<Timer>> timers{};
    std::vector<RowChange<UserTask>> user_tasks{};
    std::vector<RowChange<Execution>> executions{};
    std::vector<RowChange<Workspace>> workspaces{};
    // Instances any of whose rows are among these.
    std::set<InstanceKey> instances_touched{};
    // Rows that came twice, or changed without being there.
    std::vector<std::string> misfits{};
};

struct DefinitionVersion {
    std::string canonical{};
    DefinitionPtr definition{};
};

// A shadow of the committed rows, made of nothing but what was committed.
class Ledger {
public:
    struct Rows {
        std::map<InstanceKey, Instance> instances{};
        std::map<JobKey, Job> jobs{};
        std::map<TimerKey, Timer> timers{};
        std::map<UserTaskKey, UserTask> user_tasks{};
        std::map<StepExecutionKey, StepExecution> history{};
        std::map<DefinitionKey, DefinitionVersion> definitions{};
        std::map<IdempotencyKey, IdempotencyRecord> idempotency_records{};
        std::map<ExecutionKey, Execution> executions{};
        std::map<ExecutionKey, std::string> results{};
        std::map<WorkspaceId, Workspace> workspaces{};
        std::map<WorkspaceId, LineState> lines{};
    };

    Ledger();  // With the default workspace.
    // A workspace that the store has from the beginning.
    void begin_with(const Workspace& workspace) { rows_.workspaces[workspace.id] = workspace; }

    const Rows& rows() const { return rows_; }

    Changes apply(const Writes& writes, Instant at);
    // Backlog that was claimed, as no Writes tell it.
    Changes claim(const std::vector<DeliveredJob>& jobs, Instant at);

    // Null when there is none.
    const Instance* find(const InstanceKey& key) const;
    const Execution* find(const ExecutionKey& key) const;
    const Job* find(const JobKey& key) const;
    const StepExecution* find(const StepExecutionKey& key) const;
    const UserTask* find(const UserTaskKey& key) const;
    const Workspace* find(const WorkspaceId& id) const;
    // Also when its workspace is gone by now.
    const Definition* definition_of(const DefinitionRef& ref) const;

    // Executions with a slot.
    std::int64_t active_in(const WorkspaceId& id) const;
    std::int64_t active_of(const WorkspaceId& id, const std::string& concurrency_key) const;
    // The variables that a job has to show, from its creation to its end.
    const Variables* variables_of(const JobKey& key) const;
    // The instance whose start the end of this one brought about.
    const InstanceKey* child_of(const InstanceKey& key) const;
    // Whether there ever was one.
    bool ever_had(const InstanceKey& key) const { return instances_ever_.contains(key); }
    bool ever_had(const ExecutionKey& key) const { return executions_ever_.contains(key); }

private:
    void write_instances(const Writes& writes, Changes& changes);
    void write_jobs(const Writes& writes, Changes& changes);
    void write_timers(const Writes& writes, Changes& changes);
    void write_user_tasks(const Writes& writes, Changes& changes);
    void write_history(const Writes& writes, Changes& changes);
    void write_definitions(const Writes& writes, Changes& changes);
    void write_idempotency(const Writes& writes, Changes& changes);
    void write_executions(const Writes& writes, Changes& changes);
    void write_workspaces(const Writes& writes, Changes& changes);
    void remove_instances(const Writes& writes, Changes& changes);
    void note_definition(const WorkspaceId& workspace_id, const DefinitionRef& ref);
    void note_job_variables(const Writes& writes);
    void count_slot(const Execution& execution, int difference);

    Rows rows_;
    std::map<std::int64_t, DefinitionPtr> definitions_by_row_;
    std::map<JobKey, Variables> job_variables_;
    std::map<InstanceKey, InstanceKey> children_;
    std::set<InstanceKey> instances_ever_;
    std::set<JobKey> jobs_ever_;
    std::set<ExecutionKey> executions_ever_;
    std::map<WorkspaceId, std::int64_t> active_;
    std::map<ConcurrencyKey, std::int64_t> active_of_key_;
};

// The rows of a table that belong to one instance: its keys are sorted by id.
template <class Table, class Visit>
void for_each_of(const Table& table, const InstanceKey& instance, const Visit& visit) {
    using Key = typename Table::key_type;
    auto row = table.lower_bound(Key{{instance.id.value}, {}});
    for (; row != table.end() && instance_of(row->first.id) == instance.id; ++row) {
        if (row->first.workspace_id == instance.workspace_id) visit(row->second);
    }
}

// For sentences.
std::string named(const InstanceKey& key);
std::string named(const JobKey& key);
std::string named(const ExecutionKey& key);
std::string named(const StepExecutionKey& key);

}  // namespace millrace::sim
