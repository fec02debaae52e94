#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/instance/instance_effects.hpp"

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

// What one command makes true.
struct Effects {
    std::vector<Instance> instances{};  // Inserted or replaced.
    std::vector<Job> jobs{};            // Inserted or replaced.
    std::vector<JobKey> jobs_removed{};
    std::vector<JobVariables> job_variables{};  // Snapshots for jobs that are not loaded.
    std::vector<Timer> timers{};                // Inserted.
    std::vector<TimerKey> timers_removed{};
    std::vector<UserTask> user_tasks{};  // Inserted.
    std::vector<UserTaskKey> user_tasks_removed{};
    std::vector<StepExecution> step_executions{};  // Appended to the history.
    std::vector<DefinitionRecord> definitions{};   // Inserted.

    // Adds what has become of one instance.
    void add(InstanceEffects effects);
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
    std::vector<UserTaskKey> user_tasks_removed{};
    std::vector<StepExecution> step_executions{};
    std::vector<DefinitionRecord> definitions{};

    bool empty() const;
};

}  // namespace millrace
