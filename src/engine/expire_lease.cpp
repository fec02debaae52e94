#include "engine/expire_lease.hpp"

#include "core/job/transitions.hpp"
#include "engine/end_of_try.hpp"
#include "engine/find_job.hpp"
#include "engine/run_event.hpp"

namespace millrace {

Footprint footprint(const ExpireLease& command) {
    return footprint_of_job(command.job);
}

Result<Decision<bool>> decide(const ExpireLease& command, const WorkingSet& rows, Instant now) {
    const Job* job = rows.find(command.job);
    if (job == nullptr) return Decision<bool>{.answer = false};
    const Result<Job> expired = expire(*job, now);
    if (!expired) return Decision<bool>{.answer = false};

    Result<Instance> instance = instance_of_job(rows, command.job);
    if (!instance) return instance.error();
    const JobTried event{
        .job = command.job.id,
        .last_try = end_of_try(*job, {}, TryOutcome::expired, {}, now),
    };
    Result<Ran> run = run_event(rows, std::move(*instance), event, now);
    if (!run) return run.error();
    run->effects.jobs.push_back(*expired);
    return Decision<bool>{.effects = std::move(run->effects), .answer = true};
}

}  // namespace millrace
