#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/access/api_key.hpp"
#include "core/audit/audit_entry.hpp"
#include "core/idempotency/idempotency_record.hpp"
#include "core/instance/instance_effects.hpp"
#include "core/queue/admission.hpp"

namespace millrace {

// A definition as it is stored. `content` is the author's document with the version filled in.
struct DefinitionRecord {
    WorkspaceId workspace_id{};
    std::string id{};
    std::int32_t version = 0;
    std::string name{};
    std::string content{};
    std::string canonical{};
    Instant uploaded_at{};

    friend bool operator==(const DefinitionRecord&, const DefinitionRecord&) = default;
};

struct NewExecution {
    Execution execution{};
    Variables input{};

    friend bool operator==(const NewExecution&, const NewExecution&) = default;
};

// What a run has brought: JSON text.
struct ExecutionResult {
    ExecutionKey key{};
    std::string result{};

    friend bool operator==(const ExecutionResult&, const ExecutionResult&) = default;
};

struct LineChange {
    WorkspaceId workspace_id{};
    LineState state{};

    friend bool operator==(const LineChange&, const LineChange&) = default;
};

// What one command makes true.
struct Effects {
    std::vector<Instance> instances{};  // Inserted or replaced.
    std::vector<Job> jobs{};            // Inserted or replaced.
    std::vector<JobKey> jobs_removed{};
    std::vector<JobVariables> job_variables{};  // Snapshots for jobs that are not loaded.
    std::vector<Timer> timers{};                // Inserted.
    std::vector<TimerKey> timers_removed{};
    std::vector<UserTask> user_tasks{};  // Inserted or replaced.
    std::vector<UserTaskEnd> user_tasks_ended{};
    std::vector<StepExecution> step_executions{};          // Appended to the history.
    std::vector<DefinitionRecord> definitions{};           // Inserted.
    std::vector<IdempotencyRecord> idempotency_records{};  // Inserted.
    std::optional<Instant> idempotency_forgotten_before{};
    std::vector<AuditEntry> audit_entries{};  // Appended.
    std::vector<ApiKey> api_keys{};           // Inserted.
    std::vector<ApiKeyRevocation> api_keys_revoked{};
    std::vector<InstanceKey> instances_removed{};  // With all that belongs to them.
    std::vector<AuditKey> audit_removed{};
    std::vector<NewExecution> executions_new{};  // Inserted.
    std::vector<Execution> executions{};         // Replaced.
    // Of rows that need not be loaded; one that is over already stays as it is.
    std::vector<ExecutionMove> executions_moved{};
    std::vector<ExecutionEnd> executions_ended{};
    std::vector<ExecutionResult> execution_results{};
    std::vector<ExecutionKey> executions_removed{};
    std::vector<Workspace> workspaces{};            // Inserted or replaced.
    std::vector<WorkspaceId> workspaces_removed{};  // With their definitions and their lines.
    std::vector<LineChange> lines{};
    // What deciding it took, in the units of core/work_meter.hpp; 0 for next to nothing.
    std::int64_t work = 0;

    // Adds what has become of one instance,
    void add(InstanceEffects effects);
    // or what one part of a command makes true. No row stands in both.
    void add(Effects effects);

    bool empty() const;
};

// What a batch writes in the end: the effects of all its commands, each row once, sorted by key.
// A row that was made and removed in the same batch is in no list.
struct Writes {
    std::vector<Instance> instances_new{};
    std::vector<Instance> instances_changed{};
    std::vector<Job> jobs_new{};
    std::vector<Job> jobs_changed{};
    std::vector<JobKey> jobs_removed{};  // Some may have no row any more: that is fine.
    std::vector<JobVariables> job_variables{};
    std::vector<Timer> timers_new{};
    std::vector<TimerKey> timers_removed{};
    std::vector<UserTask> user_tasks_new{};
    std::vector<UserTask> user_tasks_changed{};
    std::vector<UserTaskEnd> user_tasks_ended{};
    std::vector<StepExecution> step_executions{};
    std::vector<DefinitionRecord> definitions{};
    std::vector<IdempotencyRecord> idempotency_records{};
    // Records that are older may go, some at a time.
    std::optional<Instant> idempotency_forgotten_before{};
    std::vector<AuditEntry> audit_entries{};
    std::vector<ApiKey> api_keys{};
    std::vector<ApiKeyRevocation> api_keys_revoked{};
    // Whole: their rows, histories and user tasks. They have ended, so nothing else is there.
    std::vector<InstanceKey> instances_removed{};
    std::vector<AuditKey> audit_removed{};
    std::vector<NewExecution> executions_new{};
    std::vector<Execution> executions_changed{};
    std::vector<ExecutionMove> executions_moved{};  // Those that are open still.
    std::vector<ExecutionEnd> executions_ended{};   // The same.
    std::vector<ExecutionResult> execution_results{};
    std::vector<ExecutionKey> executions_removed{};
    std::vector<Workspace> workspaces{};
    std::vector<WorkspaceId> workspaces_removed{};
    std::vector<LineChange> lines{};

    bool empty() const;
};

}  // namespace millrace
