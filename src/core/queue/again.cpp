#include <utility>

#include "base/check.hpp"
#include "core/queue/rank.hpp"
#include "core/queue/transitions.hpp"

namespace millrace {

namespace {

// Nothing is left of the tries before, but that there were claims: tokens only grow.
void begin_again(Execution& execution, Instant now) {
    const Execution before = std::move(execution);
    execution = {
        .key = before.key,
        .definition = before.definition,
        .priority = before.priority,
        .rank_at = rank_at(now, before.priority),
        .concurrency_key = before.concurrency_key,
        .requested_by = before.requested_by,
        .created_at = before.created_at,
        .claim = {.token = before.claim.token},
        .executor = before.executor,
        .target = before.target,
        .instance_id = before.instance_id,
        .retry_of = before.retry_of,
        .trace_parent = before.trace_parent,
    };
}

Error state_error(const Execution& execution, const std::string& expected) {
    return {ErrorCode::conflict,
            "The execution is " + std::string(to_string(execution.queue_status)) + ": " + expected};
}

bool is_end_of_run(std::string_view reason) {
    return reason == failure::kWorkflowFailed || reason == failure::kTimedOut ||
           reason == failure::kTerminated;
}

}  // namespace

Result<Execution> redriven(Execution execution, Instant now) {
    if (execution.queue_status != QueueStatus::failed) {
        return state_error(execution, "only a FAILED one can be driven again.");
    }
    if (execution.retried_by) {
        return Error{ErrorCode::conflict, "The execution was retried by another one already."};
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
        return state_error(execution, "only a FAILED one can go on.");
    }
    if (execution.retried_by) {
        return Error{ErrorCode::conflict, "The execution was retried by another one already."};
    }
    if (execution.executor != ExecutorKind::native || !execution.instance_id) {
        return Error{ErrorCode::conflict,
                     "Only a native execution that has run can go on where it failed."};
    }
    begin_again(execution, now);
    execution.is_resuming = true;
    return execution;
}

Result<Execution> retry_of(const Execution& execution, ExecutionId id, Instant now) {
    if (execution.queue_status != QueueStatus::failed &&
        execution.queue_status != QueueStatus::cancelled) {
        return state_error(execution, "only a FAILED or CANCELLED one can be retried.");
    }
    if (execution.retried_by) {
        return Error{ErrorCode::conflict, "The execution was retried by another one already."};
    }
    Execution retry = execution;
    begin_again(retry, now);
    retry.key.id = id;
    retry.created_at = now;
    retry.claim = {};
    retry.instance_id.reset();
    retry.retry_of = execution.key.id;
    return retry;
}

Execution put_off(Execution execution, Instant not_before, Instant now) {
    MILLRACE_CHECK(execution.queue_status == QueueStatus::pending);
    if (not_before <= now) return execution;
    execution.place = QueuePlace::due;
    execution.rank_at = rank_at(not_before, execution.priority);
    execution.not_before = execution.due_at = execution.next_attempt_at = not_before;
    return execution;
}

bool is_dead_letter(const Execution& execution) {
    return execution.queue_status == QueueStatus::failed && !execution.dismissed_at &&
           !execution.retried_by;
}

// The end of a run may be known before its start was written down.
bool has_run(const Execution& execution) {
    return execution.dispatched_at || execution.instance_id ||
           is_end_of_run(execution.error_reason);
}

}  // namespace millrace
