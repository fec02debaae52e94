#pragma once

#include <functional>
#include <vector>

#include "base/result.hpp"
#include "core/instance/instance.hpp"
#include "core/limits.hpp"

namespace millrace {

// A job on its way to a worker, with the variables at its creation.
struct DeliveredJob {
    Job job{};
    Variables variables{};

    friend bool operator==(const DeliveredJob&, const DeliveredJob&) = default;
};

// What the variables of jobs take.
template <class Jobs>
std::int64_t variables_bytes(const Jobs& jobs) {
    std::int64_t bytes = 0;
    for (const DeliveredJob& each : jobs) bytes += std::ssize(each.variables.text());
    return bytes;
}

struct ClaimSlot {
    WorkerId worker_id{};
    Duration lease_duration{};
};

struct ClaimJobs {
    WorkspaceId workspace_id{};
    JobType job_type{};
    std::int64_t seq_after = 0;      // The low-water mark: a hint, put right by a slow scan from 0.
    std::vector<ClaimSlot> slots{};  // The n-th job in line goes to the n-th slot.
    // These stay in line, as if they were not there.
    std::vector<JobId> passed_over{};
    // Of the variables that are delivered: the job that reaches it is the last one.
    std::int64_t bytes_max = limits::kPollBytesMax;
    // Read when the claim has its turn: where it waits for one, the wait is no part of the lease.
    std::function<Instant()> now{};
};

struct WaitingType {
    WorkspaceId workspace_id{};
    JobType job_type{};

    friend auto operator<=>(const WaitingType&, const WaitingType&) = default;
};

// One connection on which backlog is claimed. Fresh work is not: it is written already claimed
// (docs/adr/0003). Same rules as for BatchStore.
class JobClaimer {
public:
    virtual ~JobClaimer() = default;

    // Claims the first waiting jobs of one type above the mark, one for each slot, in a transaction
    // of its own, as the core's claim does, and returns them locked, sorted by seq.
    //
    // Rows locked by others are skipped, not waited for, so two claimers never get the same job and
    // never block each other. Fewer jobs than slots does not mean that none is left; jobs whose
    // variables reach bytes_max mean that more may be: they stay as they are. Those that are passed
    // over stay in line, wherever they stand.
    // After commit_unknown the jobs, if claimed at all, come back when their leases run out.
    virtual Result<std::vector<DeliveredJob>> claim_jobs(const ClaimJobs& request) = 0;

    // Whether the last claim_jobs got nothing although jobs were waiting: others had them locked.
    virtual bool others_were_faster() const { return false; }

    // Which workspaces have waiting jobs of which of these types, sorted; found by skipping through
    // the claim index, at a cost that depends on the number of workspaces with waiting jobs and on
    // that of the types. Jobs that others have locked count.
    virtual Result<std::vector<WaitingType>> waiting_types(
        const std::vector<JobType>& job_types) = 0;
};

}  // namespace millrace
