#include "core/queue/transitions.hpp"

#include <utility>

#include "base/check.hpp"

namespace millrace {

namespace {

bool is_latest_claim(const Execution& execution, std::int64_t token) {
    return execution.queue_status == QueueStatus::claimed && execution.claim.token == token;
}

// One without an owner was let go.
bool is_held(const Execution& execution, std::int64_t token) {
    return is_latest_claim(execution, token) && !execution.claim.owner.empty();
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
    // Nothing was started, and nobody doubts it: a later doubt begins from there.
    execution.first_try_at.reset();
    execution.place = QueuePlace::due;
    execution.due_at = until;
    execution.next_attempt_at = until;
}

Execution recovered_too_often(Execution execution, Instant now) {
    std::string message = "Its start was tried again too often; ";
    message += execution.last_error.empty() ? "its dispatcher was lost each time"
                                            : "the last error was: " + execution.last_error;
    return failed(std::move(execution), failure::kRecoveriesExhausted, std::move(message), now);
}

}  // namespace

Execution claim(Execution execution, const std::string& owner, std::optional<Instant> look_at,
                Instant now) {
    MILLRACE_CHECK(execution.queue_status == QueueStatus::pending);
    execution.queue_status = QueueStatus::claimed;
    execution.place = QueuePlace::active;
    execution.claim = {.token = execution.claim.token + 1, .owner = owner};
    execution.claimed_at = now;
    execution.started_at = now;
    execution.first_try_at = now;
    execution.next_attempt_at.reset();
    execution.due_at = look_at;
    execution.error_reason.clear();
    execution.error_message.clear();
    return execution;
}

bool is_in_doubt(const Execution& execution) {
    return execution.claim.owner.empty() || execution.first_try_at < execution.claimed_at;
}

std::optional<Execution> renewed(Execution execution, std::int64_t token, Instant look_at) {
    if (!is_held(execution, token)) return std::nullopt;
    if (!execution.due_at || *execution.due_at < look_at) execution.due_at = look_at;
    return execution;
}

std::optional<Execution> dispatched(Execution execution, std::int64_t token,
                                    const std::string& run_id, std::optional<Instant> look_at,
                                    Instant now) {
    if (!is_latest_claim(execution, token)) return std::nullopt;
    execution.queue_status = QueueStatus::dispatched;
    execution.dispatched_at = now;
    execution.run_id = run_id;
    execution.claim.owner.clear();
    execution.due_at = execution.cancel_requested_at ? now : look_at;
    execution.is_resuming = false;
    return execution;
}

std::optional<Execution> refused(Execution execution, std::int64_t token, const Refusal& refusal,
                                 const DispatchRules& rules, Instant now) {
    if (!is_held(execution, token)) return std::nullopt;
    ++execution.attempt_count;
    execution.last_error = refusal.message;
    if (execution.cancel_requested_at) return cancelled(std::move(execution), "", now);
    if (refusal.is_permanent || execution.attempt_count >= rules.max_attempts) {
        return failed(std::move(execution), refusal.reason, refusal.message, now);
    }
    execution.error_reason = refusal.reason;
    execution.error_message = refusal.message;
    wait_until(execution,
               now + delay_after(rules.after_refusal, execution.attempt_count, dice_of(execution)));
    return execution;
}

std::optional<Execution> deferred(Execution execution, std::int64_t token,
                                  const std::string& message, std::optional<Instant> retry_at,
                                  const DispatchRules& rules, Instant now) {
    if (!is_held(execution, token)) return std::nullopt;
    ++execution.deferrals;
    execution.last_error = message;
    Instant until =
        now + delay_after(rules.after_deferral, execution.deferrals, dice_of(execution));
    if (retry_at && *retry_at > until) until = *retry_at;
    if (is_in_doubt(execution)) {
        // It may be running: giving its slot away would let one too many in.
        execution.claim.owner.clear();
        execution.due_at = until;
        return execution;
    }
    if (execution.cancel_requested_at) return cancelled(std::move(execution), "", now);
    wait_until(execution, until);
    return execution;
}

std::optional<Execution> left_in_doubt(Execution execution, std::int64_t token,
                                       const std::string& message, const DispatchRules& rules,
                                       Instant now) {
    if (!is_held(execution, token)) return std::nullopt;
    ++execution.recoveries;
    execution.last_error = message;
    if (execution.recoveries >= rules.max_recoveries) {
        return recovered_too_often(std::move(execution), now);
    }
    execution.claim.owner.clear();
    execution.due_at =
        now + delay_after(rules.after_doubt, execution.recoveries, dice_of(execution));
    return execution;
}

bool is_forgotten(const Execution& execution, Duration retention, Instant at) {
    return execution.first_try_at && at - *execution.first_try_at >= retention;
}

std::optional<Execution> recovered(Execution execution, const std::string& owner, Instant look_at,
                                   const DispatchRules& rules, Instant now) {
    if (execution.queue_status != QueueStatus::claimed) return std::nullopt;
    if (!execution.due_at || *execution.due_at > now) return std::nullopt;
    // One without an owner was let go, and counted then if that counts.
    if (!execution.claim.owner.empty() && ++execution.recoveries >= rules.max_recoveries) {
        return recovered_too_often(std::move(execution), now);
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
    MILLRACE_CHECK(is_open(execution.queue_status));
    give_slot_back(execution, QueueStatus::failed);
    execution.completed_at = now;
    execution.next_attempt_at.reset();
    execution.error_reason = reason;
    execution.error_message = message;
    if (!message.empty()) execution.last_error = std::move(message);
    return execution;
}

Execution parked(Execution execution) {
    MILLRACE_CHECK(execution.queue_status == QueueStatus::pending);
    execution.place = QueuePlace::parked;
    return execution;
}

Execution postponed(Execution execution, Instant until) {
    MILLRACE_CHECK(execution.queue_status == QueueStatus::pending);
    execution.place = QueuePlace::due;
    execution.due_at = until;
    execution.next_attempt_at = until;
    return execution;
}

std::optional<Execution> made_ready(Execution execution, Instant now) {
    if (execution.queue_status != QueueStatus::pending || execution.place != QueuePlace::due) {
        return std::nullopt;
    }
    if (execution.due_at && *execution.due_at > now) return std::nullopt;
    execution.place = QueuePlace::ready;
    execution.due_at.reset();
    execution.next_attempt_at.reset();
    return execution;
}

Execution cancelled(Execution execution, const std::string& reason, Instant now) {
    MILLRACE_CHECK(is_open(execution.queue_status));
    give_slot_back(execution, QueueStatus::cancelled);
    if (!execution.cancel_requested_at) execution.cancel_requested_at = now;
    execution.completed_at = now;
    execution.next_attempt_at.reset();
    execution.error_reason.clear();
    execution.error_message = reason;
    execution.is_resuming = false;
    return execution;
}

Execution cancel_requested(Execution execution, bool is_forced, Instant now) {
    MILLRACE_CHECK(is_active(execution.queue_status));
    const bool is_new = !execution.cancel_requested_at || (is_forced && !execution.is_forced);
    if (!is_new) return execution;
    if (!execution.cancel_requested_at) execution.cancel_requested_at = now;
    execution.is_forced = execution.is_forced || is_forced;
    // Whoever starts it right now will see it: nobody is to take its claim away for that.
    const bool is_being_started =
        execution.queue_status == QueueStatus::claimed && !execution.claim.owner.empty();
    if (!is_being_started) execution.due_at = now;
    return execution;
}

}  // namespace millrace
