#include "engine/extend_lease.hpp"

#include <algorithm>

#include "engine/find_job.hpp"

namespace millrace {

namespace {

// The tries that the job has had, as long as its step or its line of history tells of them.
std::vector<Try> tries_of(const WorkingSet& rows, const JobKey& key) {
    const StepExecutionKey execution{step_execution_of(key.id), key.workspace_id};
    if (const StepExecution* line = rows.find(execution)) return line->tries;
    const Instance* instance = rows.find(InstanceKey{instance_of(key.id), key.workspace_id});
    const OpenStep* step = instance == nullptr ? nullptr : open_step_of(*instance, key.id);
    return step == nullptr ? std::vector<Try>{} : step->tries;
}

// A try that took too long has been ended by the time its worker asks.
Error refusal(const ExtendLease& command, const WorkingSet& rows, Error error) {
    if (lease_end_of(error) != LeaseEnd::lost) return error;
    const LeaseProof& proof = command.proof;
    const std::vector<Try> tries = tries_of(rows, command.job);
    const auto own = std::find_if(tries.rbegin(), tries.rend(), [&](const Try& each) {
        return proof.lease_token ? each.lease_token == *proof.lease_token
                                 : each.worker_id == proof.worker_id;
    });
    const bool is_timeout = own != tries.rend() && own->outcome == TryOutcome::timed_out;
    return is_timeout ? extension_refused(LeaseEnd::timed_out, std::move(error.detail)) : error;
}

}  // namespace

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
    if (!extended) return refusal(command, rows, extended.error());
    return Decision<Job>{.effects = {.jobs = {*extended}}, .answer = *extended};
}

}  // namespace millrace
