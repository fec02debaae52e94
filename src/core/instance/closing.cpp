#include <algorithm>

#include "core/instance/machine.hpp"
#include "core/instance/tries.hpp"
#include "core/limits.hpp"

namespace millrace {

namespace {

// A row that this very run has made never reaches the store; any other is removed from it.
template <class Row, class Key>
void remove_row(std::vector<Row>& fresh, std::vector<Key>& removed, const Key& key) {
    if (std::erase_if(fresh, [&](const Row& row) { return row.key == key; }) == 0) {
        removed.push_back(key);
    }
}

}  // namespace

std::string without_nul(std::string text) {
    for (auto at = text.find('\0'); at != std::string::npos; at = text.find('\0', at)) {
        text.replace(at, 1, "\\u0000");
    }
    return text;
}

// Writes the step's one line of history and removes the rows that it had.
void Machine::close(OpenStep& step, Closing closing) {
    const InstanceKey& key = instance().key;
    const StepExecutionId id{key.id.value.with_sequence(step.sequence)};
    if (step.type == StepType::service_task) {
        const JobKey job{job_of(id), key.workspace_id};
        remove_row(effects_.jobs, effects_.jobs_removed, job);
        // Taken earlier in this very run, for a job that does not outlive it.
        std::erase_if(effects_.job_variables,
                      [&](const JobVariables& snapshot) { return snapshot.key == job; });
        if (!closing.job_status) closing.job_status = JobState::cancelled;
    }
    if (step.type == StepType::user_task) {
        end_user_task({
            .key = {user_task_of(id), key.workspace_id},
            .status = closing.status == StepExecutionStatus::completed ? UserTaskState::completed
                                                                       : UserTaskState::cancelled,
            .ended_at = now_,
            .completed_by = closing.completed_by,
        });
    }
    for (const OpenTimer& timer : step.timers) {
        remove_row(effects_.timers, effects_.timers_removed,
                   {{key.id.value.with_sequence(timer.sequence)}, key.workspace_id});
    }
    StepExecution line{
        .key = {id, key.workspace_id},
        .step_id = step.step_id,
        .step_type = step.type,
        .attempt_number = step.attempt_number,
        .status = closing.status,
        .started_at = step.started_at,
        .ended_at = now_,
        .job_status = closing.job_status,
        .tries = step.tries,
        .completed_by = std::move(closing.completed_by),
    };
    if (!closing.failure_reason.empty() || closing.status == StepExecutionStatus::failed) {
        line.failure_reason = std::move(closing.failure_reason);
    }
    if (closing.last_try) line.tries.push_back(std::move(*closing.last_try));
    effects_.step_executions.push_back(std::move(line));
}

void Machine::keep_try(OpenStep& step, Try ended) {
    millrace::keep_try(state(), step, std::move(ended));
}

// Its row stays, for those who look back.
void Machine::end_user_task(UserTaskEnd end) {
    const auto fresh = std::ranges::find(effects_.user_tasks, end.key, &UserTask::key);
    if (fresh == effects_.user_tasks.end()) {
        effects_.user_tasks_ended.push_back(std::move(end));
        return;
    }
    fresh->status = end.status;
    fresh->ended_at = end.ended_at;
    fresh->completed_by = std::move(end.completed_by);
}

void Machine::spend_timer(std::uint32_t sequence, std::uint32_t timer_sequence) {
    OpenStep* step = find_open(sequence);
    std::erase_if(step->timers,
                  [&](const OpenTimer& timer) { return timer.sequence == timer_sequence; });
    effects_.timers_removed.push_back(
        {{instance().key.id.value.with_sequence(timer_sequence)}, instance().key.workspace_id});
}

void Machine::remove_open(std::uint32_t sequence) {
    std::erase_if(state().open_steps,
                  [&](const OpenStep& step) { return step.sequence == sequence; });
}

void Machine::close_all_as_skipped() {
    for (OpenStep& step : state().open_steps) {
        close(step, {.status = StepExecutionStatus::skipped});
    }
}

void Machine::complete_instance() {
    close_all_as_skipped();
    state().open_steps.clear();
    state().activations.clear();
    tokens_.clear();
    mutable_instance().status = InstanceStatus::completed;
    mutable_instance().completed_at = now_;
    effects_.chained_definition = definition_.chained_definition;
}

void Machine::fail_instance(std::uint32_t sequence, Closing closing) {
    closing.status = StepExecutionStatus::failed;
    closing.failure_reason = without_nul(std::move(closing.failure_reason));
    mutable_instance().failure_reason = closing.failure_reason;
    for (OpenStep& step : state().open_steps) {
        if (step.is_done) continue;  // It stands in the history already, with what it did.
        const bool has_failed = step.sequence == sequence;
        close(step, has_failed ? closing : Closing{.status = StepExecutionStatus::skipped});
    }
    state().failed_sequence = sequence;
    state().is_suspended = false;
    keep_tokens();
    mutable_instance().status = InstanceStatus::failed;
    mutable_instance().completed_at = now_;
}

void Machine::fail_unfit(std::uint32_t sequence, std::string_view reason) {
    fail_instance(sequence, {.failure_reason = "the stored state cannot be continued: " +
                                               std::string(reason) + " (StateUnreadable)"});
}

void Machine::keep_tokens() {
    for (Token& token : tokens_) {
        state().pending_tokens.push_back(
            {std::move(token.step_id), std::move(token.activations), token.first_job});
    }
    tokens_.clear();
}

void Machine::cancel_instance(std::string reason) {
    close_all_as_skipped();
    drop_pending_start();
    state().is_suspended = false;
    mutable_instance().status = InstanceStatus::cancelled;
    mutable_instance().failure_reason = std::move(reason);
    mutable_instance().completed_at = now_;
}

void Machine::update_status() {
    const bool waits = std::ranges::any_of(state().open_steps, [](const OpenStep& step) {
        return step.type == StepType::user_task || step.type == StepType::wait;
    });
    mutable_instance().status = waits ? InstanceStatus::waiting : InstanceStatus::active;
}

}  // namespace millrace
