#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/instance/instance.hpp"

namespace millrace {

struct JobVariables {
    JobKey key{};
    Variables variables{};

    friend bool operator==(const JobVariables&, const JobVariables&) = default;
};

// What one event makes of an instance: its new value, and the rows that come and go with it.
struct InstanceEffects {
    Instance instance{};
    std::vector<Job> jobs{};                    // New ones, unlocked.
    std::vector<JobKey> jobs_removed{};         // Over, for whatever reason.
    std::vector<JobVariables> job_variables{};  // Snapshots that older open jobs need from now on.
    std::vector<Timer> timers{};
    std::vector<TimerKey> timers_removed{};
    std::vector<UserTask> user_tasks{};            // New ones.
    std::vector<UserTaskEnd> user_tasks_ended{};   // Older ones.
    std::vector<StepExecution> step_executions{};  // Steps that closed.
    // The definition to start next with a copy of the variables; empty for none.
    std::string chained_definition{};
    // Automatic steps so far in this transaction, chained instances included.
    std::int32_t automatic_steps = 0;
};

}  // namespace millrace
