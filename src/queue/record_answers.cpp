#include "queue/kept_message.hpp"
#include "queue/run_starter.hpp"

namespace millrace {

void RunStarter::let_go(std::deque<TaskPtr>& line, const StartAnswer& answer) {
    for (const TaskPtr& task : std::exchange(line, {})) {
        if (is_current(task) && task->stage == Stage::waiting) record(task, answer);
    }
}

void RunStarter::answered(const TaskPtr& task, const StartAnswer& answer) {
    if (answer.outcome != StartOutcome::started) {
        context_.listener.on_start_failed(task->execution, answer);
    }
    record(task, answer);
}

// The claim is kept until this is done, so that nobody takes it over meanwhile.
void RunStarter::record(const TaskPtr& task, StartAnswer answer) {
    const Execution& execution = task->execution;
    task->stage = Stage::recording;
    if (task->trace) task->trace->answered(answer);
    answer.message = kept_message(std::move(answer.message));
    RecordStart command{
        .key = execution.key,
        .token = execution.claim.token,
        .rules = task->rules,
    };
    if (answer.outcome == StartOutcome::started) {
        task->has_place = watcher_.reserve_place();
        command.look_after =
            watcher_.first_look_after(execution, name_space(*task), task->has_place);
    }
    if (const RemoteTarget* target = context_.find_target(execution.target)) {
        if (answer.outcome == StartOutcome::unreachable) {
            command.retry_at = target->paused_until(context_.clock.now());
        }
        if (task->definition) command.retention = retentions_.find(*target, name_space(*task));
    }
    command.answer = std::move(answer);
    if (task->has_input) command.claimed = NewExecution{execution, task->input};
    context_.submit_until_known(
        std::move(command),
        [this, task](const Result<RecordedStart>& result) { recorded(task, result); });
}

void RunStarter::recorded(const TaskPtr& task, const Result<RecordedStart>& result) {
    if (!result) {
        drop(task);
        if (task->has_place) watcher_.give_place_back();
        context_.listener.on_trouble(task->execution, result.error());
        return;
    }
    RecordedStart start = *result;
    // Written down, but the answer to that got lost, and this one is the repetition's.
    const bool is_ours = start.record == StartRecord::lost &&
                         start.execution.queue_status == QueueStatus::dispatched &&
                         start.execution.claim.token == task->execution.claim.token;
    if (is_ours) start.record = StartRecord::dispatched;
    if (task->trace) task->trace->recorded(start);
    drop(task);
    if (start.record == StartRecord::dispatched) {
        watcher_.follow(start.execution, name_space(*task), task->has_place);
    } else if (task->has_place) {
        watcher_.give_place_back();
    }
    if (start.record != StartRecord::lost) context_.listener.on_start_recorded(start);
}

const std::string& RunStarter::name_space(const Task& task) {
    return task.definition->executor.name_space;
}

}  // namespace millrace
