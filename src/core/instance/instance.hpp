#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/id.hpp"
#include "base/time.hpp"
#include "core/definition/definition.hpp"
#include "core/job/job.hpp"
#include "core/variables/variables.hpp"

namespace millrace {

// On the wire and in the database these are ACTIVE, WAITING, COMPLETED, FAILED, CANCELLED.
enum class InstanceStatus { active, waiting, completed, failed, cancelled };

std::string_view to_string(InstanceStatus status);
std::optional<InstanceStatus> parse_instance_status(std::string_view text);

constexpr bool is_terminal(InstanceStatus status) {
    return status != InstanceStatus::active && status != InstanceStatus::waiting;
}

// Sorted by id first: it is the order in which every store locks rows.
struct InstanceKey {
    InstanceId id{};
    WorkspaceId workspace_id{};

    friend auto operator<=>(const InstanceKey&, const InstanceKey&) = default;
};

// Names the stored definition for good: a row id is never used again, unlike id and version.
struct DefinitionRef {
    std::int64_t row_id = 0;
    std::string id{};
    std::int32_t version = 0;

    friend bool operator==(const DefinitionRef&, const DefinitionRef&) = default;
};

// How one try of a job ended: COMPLETED, FAILED (and queued again or not), EXPIRED (its worker was
// lost), TIMED_OUT (it took longer than its step allows), RELEASED (its worker gave it back
// untried).
enum class TryOutcome { completed, failed, expired, timed_out, released };

std::string_view to_string(TryOutcome outcome);
std::optional<TryOutcome> parse_try_outcome(std::string_view text);

struct Try {
    WorkerId worker_id{};
    std::int64_t lease_token = 0;
    std::optional<Instant> started_at{};  // Absent when nobody had claimed the job.
    Instant ended_at{};
    TryOutcome outcome = TryOutcome::completed;
    std::string message{};

    friend bool operator==(const Try&, const Try&) = default;
};

struct OpenTimer {
    std::uint32_t sequence = 0;        // Of its TimerId.
    std::uint32_t boundary_timer = 0;  // Its place among those of the step.
    Instant fire_at{};

    friend bool operator==(const OpenTimer&, const OpenTimer&) = default;
};

// A step that was entered and is not over: one token stands here. A join that waits for more tokens
// is an open step too.
struct OpenStep {
    std::uint32_t sequence = 0;  // Of its StepExecutionId; its job or user task has the next one.
    std::string step_id{};
    StepType type = StepType::end;
    std::int32_t attempt_number = 1;
    Instant started_at{};
    // The gateway activations that the token is inside of, outermost first (docs/adr/0004).
    std::vector<std::uint32_t> activations{};
    std::vector<OpenTimer> timers{};
    bool job_has_variables = false;  // Its job carries a snapshot of its own already.
    std::vector<Try> tries{};        // Those that have ended.
    std::uint32_t first_job = 0;     // As Job::first_sequence.
    // What was to be done is done, and stands in the history: the instance failed because the way
    // on could not be chosen. A retry chooses again, and does nothing a second time.
    bool is_done = false;

    friend bool operator==(const OpenStep&, const OpenStep&) = default;
};

// One passage through a parallel gateway, until its join fires or no token of it is left.
struct Activation {
    std::uint32_t sequence = 0;  // That of the gateway's step execution.
    std::string join_step_id{};
    std::vector<std::uint32_t> outer{};  // The activations around it, outermost first.
    std::uint32_t join_sequence = 0;     // Of the open join; 0 while no token has arrived.

    friend bool operator==(const Activation&, const Activation&) = default;
};

// How often a step was entered, for attempt_number.
struct Visit {
    std::string step_id{};
    std::int32_t count = 0;

    friend bool operator==(const Visit&, const Visit&) = default;
};

// A token that had not entered its next step yet when the instance failed or was suspended.
struct PendingToken {
    std::string step_id{};
    std::vector<std::uint32_t> activations{};
    std::uint32_t first_job = 0;  // As Job::first_sequence.

    friend bool operator==(const PendingToken&, const PendingToken&) = default;
};

// A start that waits for a transaction of its own: that of the workflow chained to the instance, or
// of the instance itself.
struct PendingStart {
    std::string definition_id{};       // Of the chained workflow; empty for the instance itself.
    std::int32_t automatic_steps = 0;  // Those that the chain has taken so far.
    std::uint32_t timer = 0;           // The sequence of the TimerId that fires it.

    friend bool operator==(const PendingStart&, const PendingStart&) = default;
};

// What only the state machine reads and writes; stored as one text (core/instance/state_text.hpp).
struct InstanceState {
    std::uint32_t sequence = 0;  // The last number given out.
    std::vector<OpenStep> open_steps{};
    std::vector<Activation> activations{};
    std::vector<Visit> visits{};
    // Of a FAILED instance, what it takes to go on: the step that failed (0 for none) and what its
    // failure stopped.
    std::uint32_t failed_sequence = 0;
    std::vector<PendingToken> pending_tokens{};
    // Nothing new begins: tokens wait in pending_tokens, timers have no rows, jobs are kept back.
    bool is_suspended = false;
    std::int64_t variables_version = 0;  // How often the variables have changed.
    std::string chain_failure{};         // Why the chained workflow could not be started.
    // Set while it has no step: it is about to begin, or all are over and it ends with the start
    // of the chained workflow.
    std::optional<PendingStart> pending_start{};
    std::string trace_parent{};  // What it was started from, in a trace; empty for none.
    bool is_traced = false;      // Spans tell of it and its jobs; else it hands on what came.

    friend bool operator==(const InstanceState&, const InstanceState&) = default;
};

// One run of a definition. Invariant: a terminal instance has completed_at and runs no step; on
// FAILED and CANCELLED `open_steps` keeps what was current when it ended, for the reader.
struct Instance {
    InstanceKey key{};
    DefinitionRef definition{};
    InstanceStatus status = InstanceStatus::active;
    std::string business_key{};  // Empty when there is none.
    Variables variables{};
    InstanceState state{};
    Instant started_at{};
    std::optional<Instant> completed_at{};
    std::optional<std::string> failure_reason{};
    std::optional<InstanceId> parent_id{};  // The instance whose end started this one.
    // The execution of the queue that it runs for, with its slot; handed on to chained ones.
    std::optional<ExecutionId> execution_id{};

    friend bool operator==(const Instance&, const Instance&) = default;
};

// Ids of entered, unfinished steps in order of entry, each once, then those that a suspended
// instance is about to enter; none on COMPLETED.
std::vector<std::string> current_step_ids(const Instance& instance);

// On the wire and in the database these are RUNNING, COMPLETED, FAILED, SKIPPED.
enum class StepExecutionStatus { running, completed, failed, skipped };

std::string_view to_string(StepExecutionStatus status);
std::optional<StepExecutionStatus> parse_step_execution_status(std::string_view text);

struct StepExecutionKey {
    StepExecutionId id{};
    WorkspaceId workspace_id{};

    friend auto operator<=>(const StepExecutionKey&, const StepExecutionKey&) = default;
};

// One line of an instance's history, written once, when the step is over.
struct StepExecution {
    StepExecutionKey key{};
    std::string step_id{};
    StepType step_type = StepType::end;
    std::int32_t attempt_number = 1;
    StepExecutionStatus status = StepExecutionStatus::running;
    Instant started_at{};
    std::optional<Instant> ended_at{};
    std::optional<std::string> failure_reason{};
    // Of a SERVICE_TASK: how its job ended, and its tries.
    std::optional<JobState> job_status{};
    std::vector<Try> tries{};
    std::string completed_by{};  // Of a USER_TASK: who did it, when that is known.

    friend bool operator==(const StepExecution&, const StepExecution&) = default;
};

// The open steps as lines of history, for readers; see closed lines in the store.
std::vector<StepExecution> open_step_executions(const Instance& instance);

struct TimerKey {
    TimerId id{};
    WorkspaceId workspace_id{};

    friend auto operator<=>(const TimerKey&, const TimerKey&) = default;
};

// A wake-up call. Whether it still means something, the instance's state says.
struct Timer {
    TimerKey key{};
    Instant fire_at{};

    friend bool operator==(const Timer&, const Timer&) = default;
};

struct UserTaskKey {
    UserTaskId id{};
    WorkspaceId workspace_id{};

    friend auto operator<=>(const UserTaskKey&, const UserTaskKey&) = default;
};

// On the wire and in the database these are OPEN, COMPLETED, CANCELLED.
enum class UserTaskState { open, completed, cancelled };

std::string_view to_string(UserTaskState state);
std::optional<UserTaskState> parse_user_task_state(std::string_view text);

// A task for a person. Its row stays when it is over: people ask what they have done.
struct UserTask {
    UserTaskKey key{};
    std::string definition_id{};
    std::int32_t definition_version = 0;
    std::string step_id{};
    std::string name{};
    UserTaskState status = UserTaskState::open;
    std::string assignee{};  // Empty while nobody has it.
    std::vector<std::string> candidate_groups{};
    Instant created_at{};
    std::optional<Instant> claimed_at{};
    std::optional<Instant> ended_at{};
    std::string completed_by{};

    friend bool operator==(const UserTask&, const UserTask&) = default;
};

// How a task ended, for a row that need not be loaded.
struct UserTaskEnd {
    UserTaskKey key{};
    UserTaskState status = UserTaskState::completed;
    Instant ended_at{};
    std::string completed_by{};

    friend bool operator==(const UserTaskEnd&, const UserTaskEnd&) = default;
};

}  // namespace millrace
