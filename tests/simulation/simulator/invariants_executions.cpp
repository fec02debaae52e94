#include "core/queue/rank.hpp"
#include "core/queue/transitions.hpp"
#include "simulator/invariants.hpp"

namespace millrace::sim {

namespace {

std::string named_status(const Execution& execution) {
    return named(execution.key) + " (" + std::string(to_string(execution.queue_status)) + ")";
}

void check_shape(const Execution& execution, Findings& findings) {
    const bool has_slot = is_active(execution.queue_status);
    const bool is_over = !is_open(execution.queue_status);
    if (is_over != execution.completed_at.has_value()) {
        findings.add(named_status(execution) + " has a state that does not fit its times");
    }
    if (!is_over && has_slot != (execution.place == QueuePlace::active)) {
        findings.add(named_status(execution) + " stands in the wrong line");
    }
    const bool is_waiting = execution.queue_status == QueueStatus::pending;
    if (is_waiting && execution.place == QueuePlace::due && !execution.due_at) {
        findings.add(named_status(execution) + " waits for no time");
    }
    if (is_waiting && execution.place != QueuePlace::due && execution.due_at) {
        findings.add(named_status(execution) + " has a time to wait for, and stands in line");
    }
    if (is_waiting && execution.place == QueuePlace::parked && execution.concurrency_key.empty()) {
        findings.add(named_status(execution) + " is parked without a concurrency key");
    }
    if (!has_slot && !execution.claim.owner.empty()) {
        findings.add(named_status(execution) + " has an owner without a slot");
    }
    const bool needs_look = has_slot && execution.executor != ExecutorKind::native;
    if (needs_look && !execution.due_at) {
        findings.add(named_status(execution) + " is looked at by nobody");
    }
}

void check_what_stays(const Execution& before, const Execution& after, Findings& findings) {
    const bool is_same =
        before.definition == after.definition && before.priority == after.priority &&
        before.concurrency_key == after.concurrency_key && before.created_at == after.created_at &&
        before.executor == after.executor && before.target == after.target &&
        before.retry_of == after.retry_of;
    if (!is_same) findings.add(named_status(after) + " has become another one");
    if (before.retried_by && before.retried_by != after.retried_by) {
        findings.add(named_status(after) + " was retried twice");
    }
    const bool is_again = !is_open(before.queue_status) && is_open(after.queue_status);
    if (before.cancel_requested_at && !after.cancel_requested_at && !is_again) {
        findings.add(named_status(after) + " has forgotten that it is to be cancelled");
    }
}

// COMPLETED is the end; the others may be linked with a retry, and a FAILED one may begin again.
void check_end_is_end(const Execution& before, const Execution& after, Findings& findings) {
    if (is_open(before.queue_status)) return;
    Execution linked = before;
    linked.retried_by = after.retried_by;
    linked.place = after.place;  // Where it stood last: ready or parked is the store's to say.
    const bool is_failed = before.queue_status == QueueStatus::failed;
    if (is_failed) linked.dismissed_at = after.dismissed_at;
    const bool is_completed = before.queue_status == QueueStatus::completed;
    if (linked == after && !(is_completed && after.retried_by)) return;
    // Its place in line is a new one, even if it is over again by the same commit.
    const bool begins_again = is_failed && !before.retried_by && after.rank_at > before.rank_at;
    const bool has_run = before.dispatched_at || before.instance_id;
    if (begins_again && is_open(after.queue_status) && has_run && !after.is_resuming &&
        after.queue_status == QueueStatus::pending) {
        findings.add(named_status(after) + " has run and begins anew");
    }
    if (!begins_again) {
        findings.add(named_status(after) + " has changed after its end as " +
                     std::string(to_string(before.queue_status)));
    }
}

void check_claim(const Execution& before, const Execution& after, Findings& findings) {
    if (after.claim.token < before.claim.token) {
        findings.add("the claim of " + named_status(after) + " has a lower token");
    }
    const bool is_raised = after.claim.token > before.claim.token;
    const bool is_taken = !is_active(before.queue_status) && is_active(after.queue_status);
    if (is_taken && !is_raised) {
        findings.add(named_status(after) + " is let in under an old token");
    }
    // A run that is looked at has a looker, which needs no token: what he writes needs no claim.
    const bool is_claimed =
        before.queue_status == QueueStatus::claimed && after.queue_status == QueueStatus::claimed;
    const bool is_other = after.claim.owner != before.claim.owner && !after.claim.owner.empty();
    if (is_claimed && is_other && !is_raised) {
        findings.add(named_status(after) + " has another owner under the same token");
    }
    const bool is_live = is_claimed && !before.claim.owner.empty();
    if (is_live && is_raised && before.claim.owner == after.claim.owner &&
        before.claimed_at == after.claimed_at) {
        findings.add(named_status(after) + " has a new token without a new claim");
    }
}

// A claim whose lease is not over is its owner's.
void check_takeover(const Execution& before, const Execution& after, Instant at,
                    Findings& findings) {
    const bool is_taken_over = before.queue_status == QueueStatus::claimed &&
                               after.queue_status == QueueStatus::claimed &&
                               after.claim.token > before.claim.token;
    if (!is_taken_over || before.claim.owner.empty()) return;
    // Its owner may have let it go in this very commit. A cancellation after that makes it due.
    const bool is_cancelled_now = before.cancel_requested_at != after.cancel_requested_at ||
                                  before.is_forced != after.is_forced;
    if (is_cancelled_now) return;
    // By hand, whatever the lease, what was claimed that long ago.
    constexpr Duration kStaleAfter = std::chrono::minutes{5};
    if (before.claimed_at && *before.claimed_at < at - kStaleAfter) return;
    if (before.due_at && *before.due_at > at) {
        findings.add(named_status(after) + " was taken over before its lease was over");
    }
}

void check_times(const Execution& before, const Execution& after, Instant at, Findings& findings) {
    const bool was_waiting = before.queue_status == QueueStatus::pending;
    if (!was_waiting) return;
    const bool is_let_in = is_active(after.queue_status);
    const bool was_due = before.place == QueuePlace::due && before.due_at;
    const bool is_ready =
        after.queue_status == QueueStatus::pending && after.place == QueuePlace::ready;
    if (was_due && *before.due_at > at && (is_let_in || is_ready)) {
        findings.add(named_status(after) + " comes before its time");
    }
    if (is_let_in && before.not_before && *before.not_before > at) {
        findings.add(named_status(after) + " is let in before the time that was asked for");
    }
    if (is_let_in && before.deadline && after.claimed_at && *after.claimed_at >= *before.deadline) {
        findings.add(named_status(after) + " is let in after its deadline");
    }
    const bool is_late = after.error_reason == failure::kDeadlineExceeded;
    if (is_late && (!before.deadline || *before.deadline > at)) {
        findings.add(named_status(after) + " is too late before its deadline");
    }
}

// One that is new stands in line, unless its record was lost and comes back.
void check_new(const Execution& execution, const Ledger& ledger, Findings& findings) {
    if (execution.queue_status != QueueStatus::pending) {
        findings.add(named_status(execution) + " begins where nothing begins");
    }
    if (execution.rank_at < rank_at(execution.created_at, execution.priority)) {
        findings.add(named_status(execution) + " stands before its place");
    }
    if (!execution.retry_of) return;
    const Execution* old =
        ledger.find(ExecutionKey{*execution.retry_of, execution.key.workspace_id});
    if (old != nullptr && old->retried_by != execution.key.id) {
        findings.add(named_status(execution) + " retries one that does not know it");
    }
}

}  // namespace

void check_executions(const Changes& changes, const Ledger& ledger, Findings& findings) {
    for (const RowChange<Execution>& change : changes.executions) {
        if (change.after == nullptr) {
            if (is_open(change.before->queue_status)) {
                findings.add(named_status(*change.before) + " is removed before its end");
            }
            continue;
        }
        const Execution& after = *change.after;
        check_shape(after, findings);
        if (!change.before) {
            check_new(after, ledger, findings);
            continue;
        }
        check_what_stays(*change.before, after, findings);
        check_end_is_end(*change.before, after, findings);
        check_claim(*change.before, after, findings);
        check_takeover(*change.before, after, changes.at, findings);
        check_times(*change.before, after, changes.at, findings);
    }
}

}  // namespace millrace::sim
