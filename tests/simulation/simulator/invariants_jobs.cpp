#include <algorithm>

#include "simulator/invariants.hpp"

namespace millrace::sim {

namespace {

// By a worker.
bool is_held(const Job& job) {
    return job.status == JobState::locked && !is_kept_back(job);
}

const RowChange<Instance>* instance_change(const Changes& changes, const JobKey& key) {
    const InstanceKey instance{instance_of(key.id), key.workspace_id};
    for (const RowChange<Instance>& change : changes.instances) {
        if (change.after != nullptr && change.after->key == instance) return &change;
    }
    return nullptr;
}

// The try of this job that the commit has ended; null for none.
const Try* ended_try(const Changes& changes, const Ledger& ledger, const JobKey& key) {
    const StepExecutionId id = step_execution_of(key.id);
    if (const StepExecution* line = ledger.find(StepExecutionKey{id, key.workspace_id})) {
        return line->tries.empty() ? nullptr : &line->tries.back();
    }
    const RowChange<Instance>* change = instance_change(changes, key);
    if (change == nullptr || !change->before) return nullptr;
    const auto tries_in = [&](const Instance& instance) -> const std::vector<Try>* {
        const auto step =
            std::ranges::find(instance.state.open_steps, id.value.sequence(), &OpenStep::sequence);
        return step == instance.state.open_steps.end() ? nullptr : &step->tries;
    };
    const std::vector<Try>* before = tries_in(*change->before);
    const std::vector<Try>* after = tries_in(*change->after);
    const bool is_new = after != nullptr && !after->empty() &&
                        (before == nullptr || before->empty() || before->back() != after->back());
    return is_new ? &after->back() : nullptr;
}

void check_shape(const Job& job, Findings& findings) {
    const bool is_open = job.status == JobState::unlocked || job.status == JobState::locked;
    if (!is_open) findings.add(named(job.key) + " is over and has a row");
    if ((job.status == JobState::locked) != job.lease.has_value()) {
        findings.add(named(job.key) + " has a lease without being locked, or none and is");
    }
    if (is_held(job) && job.try_timeout &&
        job.lease->lock_expires_at > job.lease->locked_at + *job.try_timeout) {
        findings.add(named(job.key) + " is held for longer than a try may take");
    }
}

void check_new(const Job& job, Findings& findings) {
    if (job.lease_token != (is_held(job) ? 1 : 0)) {
        findings.add(named(job.key) + " is new and has the lease token " +
                     std::to_string(job.lease_token));
    }
}

void check_token(const Job& before, const Job& after, Findings& findings) {
    const std::int64_t raised = after.lease_token - before.lease_token;
    if (raised < 0 || raised > 1) {
        findings.add("the lease token of " + named(after.key) + " went from " +
                     std::to_string(before.lease_token) + " to " +
                     std::to_string(after.lease_token));
    }
    if (raised > 0 && !is_held(after)) {
        findings.add(named(after.key) + " has a new lease token without a new claim");
    }
    if (raised != 0 || !is_held(after)) return;
    const bool is_same = is_held(before) && before.lease->worker_id == after.lease->worker_id &&
                         before.lease->locked_at == after.lease->locked_at;
    if (!is_same) {
        findings.add(named(after.key) + " has another holder under the same lease token");
    } else if (after.lease->lock_expires_at < before.lease->lock_expires_at) {
        findings.add("the lease of " + named(after.key) + " was shortened");
    }
}

void check_retries(const Job& before, const Job& after, const Try* last, Findings& findings) {
    const std::int32_t used = before.retries_remaining - after.retries_remaining;
    if (used < 0 || used > 1) {
        findings.add(named(after.key) + " has used " + std::to_string(used) + " retries at once");
    }
    const bool is_failure = last != nullptr && (last->outcome == TryOutcome::failed ||
                                                last->outcome == TryOutcome::timed_out);
    if ((used > 0) != is_failure) {
        findings.add(named(after.key) + (is_failure ? " has failed without using a retry"
                                                    : " has used a retry without a failure"));
    }
}

bool is_expiry(const Try* last) {
    return last != nullptr &&
           (last->outcome == TryOutcome::expired || last->outcome == TryOutcome::timed_out);
}

// A lease that runs out does so when its time is over, and not before.
void check_expiry(const Job& before, const Try* last, const Changes& changes, Findings& findings) {
    if (!is_expiry(last) || last->lease_token != before.lease_token || !is_held(before)) return;
    if (before.lease->lock_expires_at > changes.at) {
        findings.add("the lease of " + named(before.key) + " has run out before its time");
    }
}

// A worker gives back what it has, and nothing that another has by now.
void check_release(const Job& before, const Try* last, const Changes& changes, Findings& findings) {
    const bool is_release = last != nullptr && last->outcome == TryOutcome::released;
    if (!is_release || last->lease_token != before.lease_token || !is_held(before)) return;
    const bool is_live = before.lease->lock_expires_at > changes.at;
    if (is_live && last->worker_id != before.lease->worker_id) {
        findings.add(named(before.key) + " was released by another than its holder");
    }
}

// A job that waits for its next try comes back when its time has come. Whoever resumes an instance
// lets its jobs go at once.
void check_delay(const Job& before, const Job& after, const Changes& changes, Findings& findings) {
    const bool is_let_go = is_kept_back(before) && !is_kept_back(after);
    if (!is_let_go || before.lease->lock_expires_at <= changes.at) return;
    if (instance_change(changes, after.key) == nullptr) {
        findings.add(named(after.key) + " is offered again before its delay is over");
    }
}

void check_change(const Job& before, const Job& after, const Changes& changes, const Ledger& ledger,
                  Findings& findings) {
    const bool is_same = before.job_type == after.job_type && before.step_id == after.step_id &&
                         before.created_at == after.created_at &&
                         before.first_sequence == after.first_sequence &&
                         before.try_timeout == after.try_timeout;
    if (!is_same) findings.add(named(after.key) + " has become another one");
    const Try* last = ended_try(changes, ledger, after.key);
    check_token(before, after, findings);
    check_retries(before, after, last, findings);
    check_expiry(before, last, changes, findings);
    check_release(before, last, changes, findings);
    check_delay(before, after, changes, findings);
    // A claim of backlog takes what nobody has.
    const bool is_claim = changes.writes->empty();
    if (is_claim && before.status != JobState::unlocked) {
        findings.add(named(after.key) + " is claimed although somebody has it");
    }
}

// Whether the commit has also ended the try of the holder before: then nobody had the job any more,
// and anybody may have completed it.
bool has_given_up(const StepExecution& line, const Job& before) {
    return std::ranges::any_of(line.tries, [&](const Try& each) {
        return each.lease_token == before.lease_token && each.outcome != TryOutcome::completed;
    });
}

// A job is over when its step is.
void check_removed(const Job& before, const Changes& changes, const Ledger& ledger,
                   Findings& findings) {
    const StepExecution* line =
        ledger.find(StepExecutionKey{step_execution_of(before.key.id), before.key.workspace_id});
    if (line == nullptr) return findings.add(named(before.key) + " is gone without a line");
    const Try* last = ended_try(changes, ledger, before.key);
    check_expiry(before, last, changes, findings);
    const bool is_live = is_held(before) && before.lease->lock_expires_at > changes.at;
    const bool is_completed = last != nullptr && last->outcome == TryOutcome::completed;
    if (is_live && is_completed && last->worker_id != before.lease->worker_id &&
        !has_given_up(*line, before)) {
        findings.add(named(before.key) + " was completed by another than its holder");
    }
}

}  // namespace

void check_jobs(const Changes& changes, const Ledger& ledger, Findings& findings) {
    for (const RowChange<Job>& change : changes.jobs) {
        if (change.after == nullptr) {
            check_removed(*change.before, changes, ledger, findings);
            continue;
        }
        check_shape(*change.after, findings);
        if (!change.before) {
            check_new(*change.after, findings);
        } else {
            check_change(*change.before, *change.after, changes, ledger, findings);
        }
    }
}

}  // namespace millrace::sim
