#include "core/explain/explain_instance.hpp"

#include <algorithm>
#include <chrono>

#include "base/text.hpp"
#include "base/time_text.hpp"
#include "core/instance/tries.hpp"

namespace millrace {

namespace {

void add_times(Reason& reason, const char* name, Instant at) {
    reason.evidence.emplace_back(name, time_text(at));
}

Reason held_job(const Job& job, Instant now) {
    Reason reason{
        .code = "JOB_HELD",
        .message = "Worker " + quoted(job.lease->worker_id.value) + " has the job of step " +
                   quoted(job.step_id) + ".",
        .evidence = {{"jobId", to_string(job.key.id.value)},
                     {"jobType", job.job_type.value},
                     {"workerId", job.lease->worker_id.value}},
        .until = job.lease->lock_expires_at,
        .advice = "If the worker is lost, the job is offered again when its lease is over.",
    };
    add_times(reason, "lockedAt", job.lease->locked_at);
    tell_if_overdue(reason,
                    "The lease of worker " + quoted(job.lease->worker_id.value) +
                        " for the job of step " + quoted(job.step_id) +
                        " is over: the job could not be put back in line, and that is tried again.",
                    job.lease->lock_expires_at, now);
    return reason;
}

// Why a job waits although nobody has it, by its last try.
void tell_why_kept_back(Reason& reason, const Job& job, const std::vector<Try>& tries) {
    const std::string of_step = "The job of step " + quoted(job.step_id);
    const bool is_suspended = job.lease->lock_expires_at == kEndOfTime;
    const bool is_told = !tries.empty() && !is_suspended;
    const TryOutcome last = is_told ? tries.back().outcome : TryOutcome::failed;
    if (last == TryOutcome::expired) {
        const auto losses = static_cast<std::int64_t>(losses_in_a_row(tries));
        reason.code = "JOB_LOSES_ITS_WORKERS";
        reason.message = of_step + " has lost its worker " + std::to_string(losses) +
                         " times in a row and waits before it is offered again.";
        reason.evidence.emplace_back("lossesInARow", losses);
        reason.advice =
            "See whether this job crashes its workers, or lasts longer than their "
            "leases. No retry is consumed; each loss doubles the wait.";
    } else if (last == TryOutcome::released) {
        const Try& released = tries.back();
        reason.code = "JOB_RELEASED";
        reason.message = of_step + " was released by worker " + quoted(released.worker_id.value) +
                         " and waits as long as that asked for.";
        reason.evidence.emplace_back("workerId", released.worker_id.value);
    } else {
        reason.code = "JOB_BACKING_OFF";
        reason.message = of_step + " has failed and waits before its next try.";
    }
}

Reason kept_back_job(const Job& job, const std::vector<Try>& tries, Instant now) {
    Reason reason{
        .evidence = {{"jobId", to_string(job.key.id.value)},
                     {"jobType", job.job_type.value},
                     {"retriesRemaining", job.retries_remaining}},
    };
    tell_why_kept_back(reason, job, tries);
    if (job.lease->lock_expires_at < kEndOfTime) reason.until = job.lease->lock_expires_at;
    tell_if_overdue(reason,
                    "The pause before the next try of step " + quoted(job.step_id) +
                        " is over: the job could not be put back in line, and that is tried again.",
                    job.lease->lock_expires_at, now);
    return reason;
}

Reason waiting_job(const JobFacts& facts) {
    const Job& job = facts.job;
    Reason reason{
        .evidence = {{"jobId", to_string(job.key.id.value)},
                     {"jobType", job.job_type.value},
                     {"jobsWaiting", facts.waiting}},
    };
    add_times(reason, "waitingSince", job.created_at);
    const WorkersSeen& workers = facts.workers;
    if (workers.last_seen_at) add_times(reason, "workerLastSeenAt", *workers.last_seen_at);
    const std::string type = "job type " + quoted(job.job_type.value);
    if (workers.waiting == 0 && !workers.last_seen_at) {
        reason.code = "NO_WORKER";
        reason.message = "No worker has asked this server for " + type + ".";
        reason.advice = "Start a worker that polls for this type in this workspace.";
    } else if (workers.waiting == 0) {
        reason.code = "NO_WORKER_NOW";
        reason.message = "No worker asks for " + type + " at the moment.";
        reason.advice = "See whether the workers of this type still run, or are all busy.";
    } else {
        reason.code = "JOB_QUEUED";
        reason.message = "The job is about to be handed to a worker of " + type + ".";
    }
    return reason;
}

Reason finished_job(const Job& job) {
    const std::string status(to_string(job.status));
    return {.code = "JOB_OVER",
            .message = "The job of step " + quoted(job.step_id) + " is over: " + status + ".",
            .evidence = {{"jobId", to_string(job.key.id.value)}, {"jobType", job.job_type.value}}};
}

Reason reason_of(const JobFacts& facts, const std::vector<Try>& tries, Instant now) {
    const Job& job = facts.job;
    if (is_over(job.status)) return finished_job(job);
    if (is_kept_back(job)) return kept_back_job(job, tries, now);
    return job.lease ? held_job(job, now) : waiting_job(facts);
}

Reason task_reason(const UserTask& task) {
    Reason reason{
        .code = "WAITS_FOR_TASK",
        .message =
            task.assignee.empty()
                ? "Nobody has taken the task of step " + quoted(task.step_id) + " yet."
                : quoted(task.assignee) + " has the task of step " + quoted(task.step_id) + ".",
        .evidence = {{"taskId", to_string(task.key.id.value)}, {"stepId", task.step_id}},
        .advice = "Complete the task.",
    };
    if (!task.assignee.empty()) reason.evidence.emplace_back("assignee", task.assignee);
    json::Array groups;
    for (const std::string& group : task.candidate_groups) groups.emplace_back(group);
    if (!groups.empty()) reason.evidence.emplace_back("candidateGroups", std::move(groups));
    add_times(reason, "waitingSince", task.created_at);
    return reason;
}

// Which steps still have tokens that are on their way to a join.
json::Array branches_of(const Instance& instance, const OpenStep& join) {
    const auto activation =
        std::ranges::find(instance.state.activations, join.sequence, &Activation::join_sequence);
    json::Array open;
    if (activation == instance.state.activations.end()) return open;
    for (const OpenStep& step : instance.state.open_steps) {
        const auto& inside = step.activations;
        const bool is_inside = std::ranges::find(inside, activation->sequence) != inside.end();
        if (is_inside && step.sequence != join.sequence) open.emplace_back(step.step_id);
    }
    return open;
}

Reason step_reason(const Instance& instance, const OpenStep& step) {
    Reason reason{.evidence = {{"stepId", step.step_id}}};
    add_times(reason, "waitingSince", step.started_at);
    if (step.type == StepType::join_gateway) {
        reason.code = "WAITS_FOR_JOIN";
        reason.message = "Step " + quoted(step.step_id) + " waits until all branches have arrived.";
        reason.evidence.emplace_back("openBranches", branches_of(instance, step));
    } else {
        reason.code = "WAITS_FOR_SIGNAL";
        reason.message = "Step " + quoted(step.step_id) + " waits for a signal.";
        reason.advice = "Send the signal to this step.";
    }
    return reason;
}

std::vector<Reason> timer_reasons(const OpenStep& step, Instant now) {
    std::vector<Reason> reasons;
    for (const OpenTimer& timer : step.timers) {
        Reason& reason = reasons.emplace_back(Reason{
            .code = "WAITS_FOR_TIMER",
            .message = "A timer of step " + quoted(step.step_id) + " has not fired yet.",
            .evidence = {{"stepId", step.step_id}},
            .until = timer.fire_at,
        });
        tell_if_overdue(reason,
                        "A timer of step " + quoted(step.step_id) +
                            " is overdue: it could not fire, and is tried again.",
                        timer.fire_at, now);
    }
    return reasons;
}

Reason pending_reason(const PendingStart& start) {
    if (start.definition_id.empty()) {
        return {.code = "WAITS_FOR_START", .message = "It begins in a moment."};
    }
    return {.code = "WAITS_FOR_CHAINED_START",
            .message = "All its steps are over. It ends when the next workflow of its chain, " +
                       quoted(start.definition_id) + ", starts.",
            .evidence = {{"definitionId", start.definition_id},
                         {"automaticSteps", start.automatic_steps}}};
}

Reason end_reason(const Instance& instance) {
    Reason reason{.evidence = {{"completedAt", time_text(*instance.completed_at)}}};
    switch (instance.status) {
        case InstanceStatus::failed:
            reason.code = "INSTANCE_FAILED";
            reason.message = "The instance has failed: " + instance.failure_reason.value_or("");
            reason.advice = "Mend the cause, then retry it: it goes on where it failed.";
            break;
        case InstanceStatus::cancelled:
            reason.code = "INSTANCE_CANCELLED";
            reason.message = "The instance was cancelled.";
            break;
        default:
            reason.code = "INSTANCE_COMPLETED";
            reason.message = "The instance is complete.";
            if (!instance.state.chain_failure.empty()) {
                reason.evidence.emplace_back("chainFailure", instance.state.chain_failure);
            }
    }
    return reason;
}

}  // namespace

std::vector<Reason> reasons_of(const InstanceFacts& facts, Instant now) {
    const Instance& instance = facts.instance;
    if (is_terminal(instance.status)) return {end_reason(instance)};
    std::vector<Reason> reasons;
    if (instance.state.is_suspended) {
        reasons.push_back({.code = "SUSPENDED",
                           .message = "The instance is suspended: nothing new begins.",
                           .advice = "Resume it."});
    }
    if (instance.state.pending_start)
        reasons.push_back(pending_reason(*instance.state.pending_start));
    for (const OpenStep& step : instance.state.open_steps) {
        const Id128 task = instance.key.id.value.with_sequence(step.sequence + 1);
        const auto job = std::ranges::find(
            facts.jobs, task, [](const JobFacts& each) { return each.job.key.id.value; });
        const auto user_task = std::ranges::find(
            facts.user_tasks, task, [](const UserTask& each) { return each.key.id.value; });
        if (job != facts.jobs.end()) {
            reasons.push_back(reason_of(*job, step.tries, now));
        } else if (user_task != facts.user_tasks.end()) {
            reasons.push_back(task_reason(*user_task));
        } else if (step.type == StepType::wait || step.type == StepType::join_gateway) {
            reasons.push_back(step_reason(instance, step));
        }
        for (Reason& timer : timer_reasons(step, now)) reasons.push_back(std::move(timer));
    }
    return reasons;
}

Explanation explain(const InstanceFacts& facts, Instant now) {
    const Instance& instance = facts.instance;
    Explanation explanation{
        .subject = "instance",
        .id = to_string(instance.key.id.value),
        .status = std::string(to_string(instance.status)),
        .is_over = is_terminal(instance.status),
        .reasons = reasons_of(facts, now),
    };
    for (const Reason& reason : explanation.reasons) {
        if (!reason.until) continue;
        explanation.estimated_at =
            std::min(explanation.estimated_at.value_or(*reason.until), *reason.until);
    }
    return summed_up(std::move(explanation));
}

Explanation explain(const JobFacts& facts, Instant now) {
    Reason reason = reason_of(facts, facts.tries, now);
    Explanation explanation{
        .subject = "job",
        .id = to_string(facts.job.key.id.value),
        .status = std::string(to_string(facts.job.status)),
        .is_over = is_over(facts.job.status),
        .estimated_at = reason.until,
    };
    explanation.reasons.push_back(std::move(reason));
    return summed_up(std::move(explanation));
}

}  // namespace millrace
