#include "engine/complete_job.hpp"

#include "engine/end_of_try.hpp"
#include "engine/find_job.hpp"
#include "engine/run_event.hpp"

namespace millrace {

Footprint footprint(const CompleteJob& command) {
    return footprint_of_job(command.job);
}

Result<Decision<Job>> decide(const CompleteJob& command, const WorkingSet& rows, Instant now) {
    const Result<FoundJob> found = find_job(rows, command.job);
    if (!found) return found.error();
    if (!found->missing.empty()) return Decision<Job>{.missing = found->missing};

    const Result<Job> completed = complete(found->job, command.proof, now);
    if (!completed) return completed.error();
    if (!found->is_open) return Decision<Job>{.answer = *completed};

    Result<Instance> instance = instance_of_job(rows, command.job);
    if (!instance) return instance.error();
    const JobCompleted event{
        .job = command.job.id,
        .variables = command.variables,
        .last_try = end_of_try(found->job, command.proof, TryOutcome::completed, {}, now),
    };
    Result<Ran> run = run_event(rows, std::move(*instance), event, now);
    if (!run) return run.error();
    return Decision<Job>{
        .effects = std::move(run->effects),
        .answer = *completed,
        .missing = std::move(run->missing),
    };
}

}  // namespace millrace
