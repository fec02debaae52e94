#pragma once

#include <map>
#include <optional>
#include <set>

#include "core/limits.hpp"
#include "store/effects.hpp"
#include "store/footprint.hpp"
#include "store/reading_bound.hpp"
#include "store/unreadable_rows.hpp"

namespace millrace {

struct DefinitionRow {
    DefinitionRef ref{};
    DefinitionPtr definition{};
    std::size_t bytes = 0;  // That it takes in memory.
};

// What is stored under the name of an upload.
struct UploadRow {
    std::int32_t latest_version = 0;  // 0 when there is none.
    // The newest version with the same canonical text.
    std::int32_t same_version = 0;
    Instant same_uploaded_at{};
};

// The rows of a footprint as a store has read them. What is missing in the lists of rows does not
// exist, unless it is unreadable or left out; `definitions` and `uploads` have an entry for each
// other key asked.
struct LoadedRows {
    std::vector<Instance> instances{};
    std::vector<Job> jobs{};
    std::vector<UserTask> user_tasks{};
    std::vector<IdempotencyRecord> idempotency_records{};
    std::vector<ApiKey> api_keys{};
    std::vector<StepExecution> step_executions{};
    std::vector<std::pair<DefinitionKey, std::optional<DefinitionRow>>> definitions{};
    std::vector<std::pair<UploadKey, UploadRow>> uploads{};
    // The definitions of all instances above and of the executions of the admission, by row id.
    std::vector<DefinitionRow> instance_definitions{};
    std::vector<Execution> executions{};
    std::vector<Workspace> workspaces{};
    AdmissionRows admission{};
    // In none of the lists above.
    UnreadableRows unreadable{};
    // The same; only where the footprint has a bound.
    LeftOutRows left_out{};
};

// The rows of a footprint as they were when they were locked, under what the batch has decided
// since: each command sees the effects of those before it.
class WorkingSet {
public:
    // Adds what a load, or an extend later in the same batch, has read.
    void add(const Footprint& asked, LoadedRows rows);

    // Null when there is no such row in that workspace.
    const Instance* find(const InstanceKey& key) const;
    const Job* find(const JobKey& key) const;
    const UserTask* find(const UserTaskKey& key) const;
    const IdempotencyRecord* find(const IdempotencyKey& key) const;
    const StepExecution* find(const StepExecutionKey& key) const;
    const DefinitionRow* find(const DefinitionKey& key) const;
    const UploadRow* find(const UploadKey& key) const;
    const ApiKey* find_api_key(const std::string& id) const;
    const Execution* find(const ExecutionKey& key) const;
    const Workspace* find_workspace(const WorkspaceId& id) const;
    // What the batch has made of a line; null when nothing.
    const LineState* find_changed_line(const WorkspaceId& id) const;

    // Those are not found, although they are there.
    const UnreadableRows& unreadable() const { return unreadable_; }

    // As it was loaded: at most one command of a batch looks at it.
    const AdmissionRows& admission() const { return admission_; }

    // The definition that an instance of this set runs. Null when its row is gone.
    const DefinitionRow* definition_of(const Instance& instance) const;
    const DefinitionRow* definition_of(const Execution& execution) const;

    // Whether the row was asked for; only then does a null mean that it does not exist.
    bool has_asked(const JobKey& key) const;
    bool has_asked(const UserTaskKey& key) const;
    bool has_asked(const StepExecutionKey& key) const;
    bool has_asked(const DefinitionKey& key) const;

    // How much work one command may take to decide, in the units of core/work_meter.hpp.
    std::int64_t work_max() const { return work_max_; }
    void set_work_max(std::int64_t work_max) { work_max_ = work_max; }

    void absorb(Effects effects);

    // All that was absorbed, as one write. The set is used up.
    Writes take_writes();

private:
    void end_user_task(UserTaskEnd end);
    void absorb_executions(Effects& effects);
    void move_execution(const ExecutionMove& move);
    void end_execution(ExecutionEnd end);
    void take_executions(Writes& writes);

    template <class Row>
    struct Entry {
        std::optional<Row> row{};  // Empty when removed.
        bool is_stored = false;
        bool is_changed = false;
    };

    std::map<InstanceKey, Entry<Instance>> instances_;
    std::map<JobKey, Entry<Job>> jobs_;
    std::set<JobKey> jobs_asked_;
    std::map<JobKey, Variables> job_variables_;
    std::map<TimerKey, Entry<Timer>> timers_;
    std::map<UserTaskKey, Entry<UserTask>> user_tasks_;
    std::set<UserTaskKey> user_tasks_asked_;
    std::map<UserTaskKey, UserTaskEnd> user_tasks_ended_;  // Of those that are not loaded.
    std::map<IdempotencyKey, IdempotencyRecord> idempotency_records_;  // Read, or added here.
    std::map<std::string, ApiKey> api_keys_;                           // Read, or added here.
    std::map<StepExecutionKey, StepExecution> step_executions_;        // Read, or appended here.
    std::vector<StepExecution> step_executions_new_;
    std::set<StepExecutionKey> step_executions_asked_;
    std::map<DefinitionKey, std::optional<DefinitionRow>> definitions_;
    std::map<std::int64_t, DefinitionRow> definitions_by_row_;
    std::map<UploadKey, UploadRow> uploads_;
    std::vector<DefinitionRecord> definitions_new_;
    std::map<ExecutionKey, Entry<Execution>> executions_;
    std::map<ExecutionKey, Variables> execution_inputs_;      // Of new ones.
    std::map<ExecutionKey, ExecutionMove> executions_moved_;  // Of those that are not loaded.
    std::map<ExecutionKey, ExecutionEnd> executions_ended_;   // The same.
    std::map<ExecutionKey, std::string> execution_results_;
    std::map<WorkspaceId, Workspace> workspaces_;  // Read, or written here.
    std::map<WorkspaceId, Workspace> workspaces_changed_;
    std::map<WorkspaceId, LineState> lines_;
    AdmissionRows admission_;
    std::int64_t work_max_ = limits::kCommandWorkMax;
    UnreadableRows unreadable_;
    Effects appended_;  // What no command reads again: only its append-only lists are used.
};

}  // namespace millrace
