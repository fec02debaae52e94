#include "engine/expire_lease.hpp"

#include "core/instance/tries.hpp"
#include "core/job/transitions.hpp"
#include "engine/back_in_line.hpp"
#include "engine/end_of_try.hpp"
#include "engine/find_job.hpp"
#include "engine/run_event.hpp"

namespace millrace {

namespace {

// In a row, before this one.
std::size_t losses_of(const Instance& instance, const Job& job) {
    const OpenStep* step = open_step_of(instance, job.key.id);
    return step == nullptr ? 0 : losses_in_a_row(step->tries);
}

Result<Decision<ExpiredLease>> end_try(const WorkingSet& rows, Instance instance, const Job& job,
                                       Result<Job> ended, ExpiredLease answer, Instant now) {
    if (!ended) return Decision<ExpiredLease>{};
    const bool has_timed_out = answer == ExpiredLease::timed_out;
    const Try last_try =
        end_of_try(job, {}, has_timed_out ? TryOutcome::timed_out : TryOutcome::expired,
                   has_timed_out ? "the try took longer than its timeout" : "", now);
    const bool is_over = ended->status == JobState::failed;
    const Event event =
        is_over ? Event(JobFailed{job.key.id, last_try}) : Event(JobTried{job.key.id, last_try});
    Result<Ran> run = run_event(rows, std::move(instance), event, now);
    if (!run) return run.error();
    if (!is_over) run->effects.jobs.push_back(back_in_line(*ended, run->instance(), now));
    return Decision<ExpiredLease>{.effects = std::move(run->effects), .answer = answer};
}

}  // namespace

Footprint footprint(const ExpireLease& command) {
    return footprint_of_job(command.job);
}

Result<Decision<ExpiredLease>> decide(const ExpireLease& command, const WorkingSet& rows,
                                      Instant now) {
    const Job* job = rows.find(command.job);
    if (job == nullptr) return Decision<ExpiredLease>{};
    Result<Instance> instance = instance_of_job(rows, command.job);
    if (!instance) return instance.error();

    if (is_kept_back(*job)) {
        const Result<Job> freed = expire(*job, now);
        if (!freed) return Decision<ExpiredLease>{};
        return Decision<ExpiredLease>{
            .effects = {.jobs = {back_in_line(*freed, *instance, now)}},
            .answer = ExpiredLease::delay_over,
        };
    }
    if (has_timed_out(*job, now)) {
        const Duration delay = retry_delay(rows, *instance, *job);
        return end_try(rows, std::move(*instance), *job, time_out(*job, delay, now),
                       ExpiredLease::timed_out, now);
    }
    Result<Job> freed = expire(*job, now);
    const Duration delay = delay_after_losses(losses_of(*instance, *job) + 1);
    if (freed && delay > Duration::zero()) freed = keep_back(std::move(*freed), now + delay, now);
    return end_try(rows, std::move(*instance), *job, std::move(freed), ExpiredLease::worker_lost,
                   now);
}

}  // namespace millrace
