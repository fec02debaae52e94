#include "engine/release_job.hpp"

#include "engine/back_in_line.hpp"
#include "engine/end_of_try.hpp"
#include "engine/find_job.hpp"
#include "engine/run_event.hpp"

namespace millrace {

Footprint footprint(const ReleaseJob& command) {
    return footprint_of_job(command.job);
}

Result<Decision<Job>> decide(const ReleaseJob& command, const WorkingSet& rows, Instant now) {
    const Result<FoundJob> found = find_job(rows, command.job);
    if (!found) return found.error();
    if (!found->missing.empty()) return Decision<Job>{.missing = found->missing};

    const Result<Job> released = release(found->job, command.proof, command.delay, now);
    if (!released) return released.error();
    if (*released == found->job) return Decision<Job>{.answer = *released};

    Result<Instance> instance = instance_of_job(rows, command.job);
    if (!instance) return instance.error();
    const Try last_try =
        end_of_try(found->job, command.proof, TryOutcome::released, command.reason, now);
    Result<Ran> run =
        run_event(rows, std::move(*instance), JobTried{command.job.id, last_try}, now);
    if (!run) return run.error();
    run->effects.jobs.push_back(back_in_line(*released, run->instance(), now));
    return Decision<Job>{
        .effects = std::move(run->effects),
        .answer = *released,
        .missing = std::move(run->missing),
    };
}

}  // namespace millrace
