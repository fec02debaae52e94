#include "engine/extend_lease.hpp"

#include "engine/find_job.hpp"

namespace millrace {

Footprint footprint(const ExtendLease& command) {
    return {.jobs = {command.job}};
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
