#include "engine/fail_job.hpp"

#include "engine/back_in_line.hpp"
#include "engine/end_of_try.hpp"
#include "engine/find_job.hpp"
#include "engine/run_event.hpp"

namespace millrace {

Footprint footprint(const FailJob& command) {
    return footprint_of_job(command.job);
}

Result<Decision<FailedJob>> decide(const FailJob& command, const WorkingSet& rows, Instant now) {
    const Result<FoundJob> found = find_job(rows, command.job);
    if (!found) return found.error();
    if (!found->missing.empty()) return Decision<FailedJob>{.missing = found->missing};

    const InstanceKey key{instance_of(command.job.id), command.job.workspace_id};
    const Instance* before = rows.find(key);
    const Duration by_policy =
        before == nullptr ? Duration::zero() : retry_delay(rows, *before, found->job);
    const Duration delay = command.retry_after.value_or(by_policy);
    const Result<Job> failed = fail(found->job, command.proof, command.retryable, delay, now);
    if (!failed) return failed.error();
    Decision<FailedJob> decision;
    decision.answer.job = *failed;
    if (*failed == found->job) return decision;

    Result<Instance> instance = instance_of_job(rows, command.job);
    if (!instance) return instance.error();
    const Try last_try =
        end_of_try(found->job, command.proof, TryOutcome::failed, command.message, now);
    const bool is_over = failed->status == JobState::failed;
    const Event event = is_over ? Event(JobFailed{command.job.id, last_try})
                                : Event(JobTried{command.job.id, last_try});
    Result<Ran> run = run_event(rows, std::move(*instance), event, now);
    if (!run) return run.error();
    if (!is_over) run->effects.jobs.push_back(back_in_line(*failed, run->instance(), now));
    decision.answer.is_retried = !is_over;
    decision.effects = std::move(run->effects);
    decision.missing = std::move(run->missing);
    return decision;
}

}  // namespace millrace
