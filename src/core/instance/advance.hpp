#pragma once

#include <optional>
#include <string>
#include <variant>

#include "base/json/value.hpp"
#include "base/result.hpp"
#include "core/instance/instance_effects.hpp"
#include "core/work_meter.hpp"

namespace millrace {

// What can happen to an instance. `variables` are objects to merge, or null for none.

struct Started {};

struct JobCompleted {
    JobId job{};
    json::Value variables{};
    Try last_try{};
};

// The job failed for good, and the instance with it.
struct JobFailed {
    JobId job{};
    Try last_try{};
};

// A try of the job has ended and the job waits for the next one.
struct JobTried {
    JobId job{};
    Try last_try{};
};

struct UserTaskCompleted {
    std::string step_id{};
    json::Value variables{};
    std::string completed_by{};
    std::uint32_t sequence = 0;  // Of the step execution, when one is meant; else 0.
};

struct SignalReceived {
    std::string step_id{};
    json::Value variables{};
};

struct TimerFired {
    TimerId timer{};
};

// What the engine itself had to do at a step can never be done. `sequence` is that of the timer or
// job it was about.
struct StepRefused {
    std::uint32_t sequence = 0;
    std::string reason{};
};

struct CancelRequested {
    std::string reason{};
};

// A FAILED instance is to go on where it stopped.
struct RetryRequested {};

struct SuspendRequested {};
struct ResumeRequested {};

struct VariablesChanged {
    json::Value changes{};
    std::vector<std::string> removed{};
    std::optional<std::int64_t> expected_version{};
};

using Event = std::variant<Started, JobCompleted, JobFailed, JobTried, UserTaskCompleted,
                           SignalReceived, TimerFired, StepRefused, CancelRequested, RetryRequested,
                           SuspendRequested, ResumeRequested, VariablesChanged>;

// The instance state machine: the only place where the rules of steps, tokens, joins, timers and
// ends live. Pure. Runs the instance on until every token waits for somebody, or it has ended.
//
// An error means that the event does not fit and nothing changes. A step that fails on the way is
// no error: the instance is FAILED then, with its reason.
//
// `meter` is that of the command, and what its share does not allow fails the instance.
// `automatic_steps` is how many the same chain of instances has run already, for the limit on them.
Result<InstanceEffects> advance(const Definition& definition, Instance instance, const Event& event,
                                Instant now, WorkMeter& meter, std::int32_t automatic_steps = 0);

// The same, alone in its command.
Result<InstanceEffects> advance(const Definition& definition, Instance instance, const Event& event,
                                Instant now);

}  // namespace millrace
