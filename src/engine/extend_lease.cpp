#include "engine/extend_lease.hpp"

#include "engine/find_job.hpp"

namespace millrace {

// With the instance, although only the job changes: whoever holds an instance holds all its jobs,
// and no two batches can wait for each other.
Footprint footprint(const ExtendLease& command) {
    return footprint_of_job(command.job);
}

Result<Decision<Job>> decide(const ExtendLease& command, const WorkingSet& rows, Instant now) {
    const Result<FoundJob> found = find_job(rows, command.job);
    if (!found) return found.error();
    if (!found->missing.empty()) return Decision<Job>{.missing = found->missing};

    const Result<Job> extended = extend(found->job, command.proof, command.lease_duration, now);
    if (!extended) return extended.error();
    return Decision<Job>{.effects = {.jobs = {*extended}}, .answer = *extended};
}

}  // namespace millrace
