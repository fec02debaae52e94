#include "dispatch/undo_claim.hpp"

#include "core/job/transitions.hpp"

namespace millrace {

// With the instance, although only the job changes: whoever holds an instance holds all its jobs,
// and no two batches can wait for each other.
Footprint footprint(const UndoClaim& command) {
    return {.instances = {{instance_of(command.job.id), command.job.workspace_id}},
            .jobs = {command.job}};
}

Result<Decision<bool>> decide(const UndoClaim& command, const WorkingSet& rows, Instant now) {
    const Job* job = rows.find(command.job);
    if (job == nullptr) return Decision<bool>{.answer = false};
    Result<Job> released = undo_claim(*job, command.lease_token);
    if (!released) return Decision<bool>{.answer = false};
    const Instance* instance =
        rows.find(InstanceKey{instance_of(command.job.id), command.job.workspace_id});
    if (instance != nullptr && instance->state.is_suspended) {
        released = keep_back(std::move(*released), kEndOfTime, now);
    }
    return Decision<bool>{.effects = {.jobs = {*released}}, .answer = true};
}

}  // namespace millrace
