#include "queue/record_start.hpp"

#include "core/bounded_message.hpp"

namespace millrace {

namespace {

// Nothing that another try would mend: the executor was not even asked.
bool is_permanent(std::string_view reason) {
    return reason == failure::kTargetNotFound || reason == failure::kDefinitionNotFound;
}

std::optional<Execution> after_answer(const RecordStart& command, Execution execution,
                                      Instant now) {
    const StartAnswer& answer = command.answer;
    const std::string message = bounded_message(answer.message);
    const DispatchRules& rules = command.rules;
    switch (answer.outcome) {
        case StartOutcome::started:
            return dispatched(std::move(execution), command.token, answer.run_id,
                              now + command.look_after, now);
        case StartOutcome::refused: {
            const std::string reason =
                answer.reason.empty() ? std::string(failure::kStartFailed) : answer.reason;
            const Refusal refusal{reason, message, is_permanent(reason)};
            return refused(std::move(execution), command.token, refusal, rules, now);
        }
        case StartOutcome::conflict: {
            const Refusal refusal{std::string(failure::kWorkflowIdConflict), message, true};
            return refused(std::move(execution), command.token, refusal, rules, now);
        }
        case StartOutcome::unreachable:
            return deferred(std::move(execution), command.token, message, command.retry_at, rules,
                            now);
        case StartOutcome::unknown:
            return left_in_doubt(std::move(execution), command.token, message, rules, now);
    }
    std::abort();
}

// A start that may have happened is not tried again once the executor may have forgotten it.
Execution unless_forgotten(Execution execution, const std::optional<Duration>& retention,
                           Instant now) {
    const bool is_waiting = execution.queue_status == QueueStatus::claimed && execution.due_at;
    if (!is_waiting || !retention) return execution;
    if (!is_forgotten(execution, *retention, *execution.due_at)) return execution;
    return failed(std::move(execution), failure::kStartUnknown,
                  "Whether it has started can no longer be found out: its executor may have "
                  "forgotten the run by now",
                  now);
}

// Once the lease is over somebody else may have taken it on, and all that became of it may have
// been removed since: a record would do it a second time.
bool is_still_held(const RecordStart& command, Instant now) {
    if (!command.claimed) return false;
    const std::optional<Instant>& held_until = command.claimed->execution.due_at;
    return held_until && now < *held_until;
}

StartRecord record_of(QueueStatus status) {
    switch (status) {
        case QueueStatus::pending: return StartRecord::released;
        case QueueStatus::claimed: return StartRecord::in_doubt;
        case QueueStatus::cancelled: return StartRecord::cancelled;
        case QueueStatus::failed: return StartRecord::failed;
        case QueueStatus::dispatched:
        case QueueStatus::completed: return StartRecord::dispatched;
    }
    std::abort();
}

}  // namespace

Footprint footprint(const RecordStart& command) {
    return {.executions = {command.key}};
}

Result<Decision<RecordedStart>> decide(const RecordStart& command, const WorkingSet& rows,
                                       Instant now) {
    Decision<RecordedStart> decision;
    const Execution* found = rows.find(command.key);
    const bool is_missing = found == nullptr && is_still_held(command, now);
    if (is_missing) found = &command.claimed->execution;
    if (found == nullptr) return decision;
    decision.answer.execution = *found;

    std::optional<Execution> after = after_answer(command, *found, now);
    if (!after) return decision;
    Execution changed = unless_forgotten(std::move(*after), command.retention, now);
    decision.answer = {record_of(changed.queue_status), changed, is_missing};
    if (is_missing) {
        decision.effects.executions_new.push_back({std::move(changed), command.claimed->input});
    } else {
        decision.effects.executions.push_back(std::move(changed));
    }
    return decision;
}

}  // namespace millrace
