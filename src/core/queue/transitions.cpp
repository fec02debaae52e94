#include "core/queue/transitions.hpp"

#include <utility>

#include "core/queue/rank.hpp"

namespace millrace {

namespace {

bool is_held(const Execution& execution, std::int64_t token) {
    return execution.queue_status == QueueStatus::claimed && execution.claim.token == token;
}

JobId dice_of(const Execution& execution) {
    return {execution.key.id.value};
}

void give_slot_back(Execution& execution, QueueStatus status) {
    execution.queue_status = status;
    execution.claim.owner.clear();
    execution.due_at.reset();
}

void wait_until(Execution& execution, Instant until) {
    give_slot_back(execution, QueueStatus::pending);
    execution.claimed_at.reset();
    execution.place = QueuePlace::due;
    execution.due_at = until;
    execution.next_attempt_at = until;
}

void clear_error(Execution& execution) {
    execution.error_reason.clear();
    execution.error_message.clear();
}

// Everything that one try has left behind.
void begin_again(Execution& execution, Instant now) {
    clear_error(execution);
    give_slot_back(execution, QueueStatus::pending);
    execution.place = QueuePlace::ready;
    execution.rank_at = rank_at(now, execution.priority);
    execution.attempt_count = 0;
    execution.deferrals = 0;
    execution.recoveries = 0;
    execution.last_error.clear();
    execution.claimed_at.reset();
    execution.dispatched_at.reset();
    execution.started_at.reset();
    execution.completed_at.reset();
    execution.next_attempt_at.reset();
    execution.first_try_at.reset();
    execution.cancel_requested_at.reset();
    execution.is_forced = false;
    execution.dismissed_at.reset();
    // What was to start in time before is asked for again, now.
    execution.deadline.reset();
    execution.not_before.reset();
}

}  // namespace

Execution claim(Execution execution, const std::string& owner, std::optional<Instant> look_at,
                Instant now) {
    execution.queue_status = QueueStatus::claimed;
    execution.place = QueuePlace::active;
    execution.claim = {.token = execution.claim.token + 1, .owner = owner};
    execution.claimed_at = now;
    execution.started_at = now;
    if (!execution.first_try_at) execution.first_try_at = now;
    execution.next_attempt_at.reset();
    execution.due_at = look_at;
    clear_error(execution);
    return execution;
}

std::optional<Execution> dispatched(Execution execution, std::int64_t token,
                                    const std::string& run_id, std::optional<Instant> look_at,
                                    Instant now) {
    if (!is_held(execution, token)) return std::nullopt;
    execution.queue_status = QueueStatus::dispatched;
    execution.dispatched_at = now;
    execution.run_id = run_id;
    execution.due_at = look_at;
    return execution;
}

std::optional<Execution> refused(Execution execution, std::int64_t token, const Refusal& refusal,
                                 const DispatchRules& rules, Instant now) {
    if (!is_held(execution, token)) return std::nullopt;
    ++execution.attempt_count;
    execution.last_error = refusal.message;
    if (refusal.is_permanent || execution.attempt_count >= rules.max_attempts) {
        return failed(std::move(execution), refusal.reason, refusal.message, now);
    }
    execution.error_reason = refusal.reason;
    execution.error_message = refusal.message;
    // The executor has said that nothing was started: a later doubt begins from there.
    execution.first_try_at.reset();
    const Duration delay =
        delay_after(rules.after_refusal, execution.attempt_count, dice_of(execution));
    wait_until(execution, now + delay);
    return execution;
}

std::optional<Execution> deferred(Execution execution, std::int64_t token,
                                  const std::string& message, std::optional<Instant> retry_at,
                                  const DispatchRules& rules, Instant now) {
    if (!is_held(execution, token)) return std::nullopt;
    ++execution.deferrals;
    execution.last_error = message;
    if (execution.recoveries == 0) execution.first_try_at.reset();
    Instant until =
        now + delay_after(rules.after_deferral, execution.deferrals, dice_of(execution));
    if (retry_at && *retry_at > until) until = *retry_at;
    wait_until(execution, until);
    return execution;
}

std::optional<Execution> left_in_doubt(Execution execution, std::int64_t token,
                                       const std::string& message, const DispatchRules& rules,
                                       Instant now) {
    if (!is_held(execution, token)) return std::nullopt;
    execution.last_error = message;
    execution.claim.owner.clear();
    execution.due_at =
        now + delay_after(rules.after_doubt, execution.recoveries + 1, dice_of(execution));
    return execution;
}

std::optional<Execution> recovered(Execution execution, const std::string& owner, Instant look_at,
                                   const DispatchRules& rules, Instant now) {
    if (execution.queue_status != QueueStatus::claimed) return std::nullopt;
    if (!execution.due_at || *execution.due_at > now) return std::nullopt;
    ++execution.recoveries;
    if (execution.recoveries >= rules.max_recoveries) {
        const std::string reason = execution.last_error.empty()
                                       ? "its dispatcher was lost each time"
                                       : "the last error was: " + execution.last_error;
        return failed(std::move(execution), failure::kRecoveriesExhausted,
                      "Its start was tried again too often; " + reason, now);
    }
    execution.claim = {.token = execution.claim.token + 1, .owner = owner};
    execution.claimed_at = now;
    execution.started_at = now;
    execution.due_at = look_at;
    return execution;
}

std::optional<Execution> ended(Execution execution, const ExecutionEnd& end) {
    if (!is_open(execution.queue_status)) return std::nullopt;
    give_slot_back(execution, end.queue_status);
    execution.completed_at = end.at;
    execution.next_attempt_at.reset();
    execution.error_reason = end.reason;
    execution.error_message = end.message;
    if (end.instance_id) execution.instance_id = end.instance_id;
    return execution;
}

Execution failed(Execution execution, std::string_view reason, std::string message, Instant now) {
    give_slot_back(execution, QueueStatus::failed);
    execution.completed_at = now;
    execution.next_attempt_at.reset();
    execution.error_reason = reason;
    execution.error_message = message;
    if (!message.empty()) execution.last_error = std::move(message);
    return execution;
}

Result<Execution> redriven(Execution execution, Instant now) {
    if (execution.queue_status != QueueStatus::failed) {
        return Error{ErrorCode::conflict, "The execution is " +
                                              std::string(to_string(execution.queue_status)) +
                                              ": only a FAILED one can be driven again."};
    }
    if (has_run(execution)) {
        return Error{ErrorCode::conflict,
                     "The execution has run: retry it, which makes a new execution."};
    }
    begin_again(execution, now);
    return execution;
}

Result<Execution> resumed(Execution execution, Instant now) {
    if (execution.queue_status != QueueStatus::failed) {
        return Error{ErrorCode::conflict, "The execution is " +
                                              std::string(to_string(execution.queue_status)) +
                                              ": only a FAILED one can go on."};
    }
    if (execution.executor != ExecutorKind::native || !execution.instance_id) {
        return Error{ErrorCode::conflict,
                     "Only a native execution that has run can go on where it failed."};
    }
    begin_again(execution, now);
    execution.is_resuming = true;
    return execution;
}

bool has_run(const Execution& execution) {
    return execution.dispatched_at.has_value();
}

}  // namespace millrace
