#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "store/job_claimer.hpp"

namespace millrace {

// A waiting worker's place, kept for one job of a batch under way.
struct JobGrant {
    std::size_t job = 0;  // The place of the job among those offered.
    std::uint64_t waiter = 0;
    WorkerId worker_id{};
    Duration lease_duration{};
};

// An unlocked job of a batch under way.
struct OfferedJob {
    WaitingType type{};
    JobId id{};
};

// Those who wait for jobs in this process, as a committer sees them. A batch offers its fresh jobs
// before it is written, so that they are born claimed: one commit instead of two, and no claim
// statement (docs/adr/0003). After reserve, exactly one of deliver and give_back follows, with the
// same grants. Thread-safe.
class JobDemand {
public:
    virtual ~JobDemand() = default;

    // Chooses takers for some of these unlocked jobs.
    virtual std::vector<JobGrant> reserve(std::span<const OfferedJob> offered) = 0;

    // The batch is committed: `jobs[i]` goes to `grants[i]`.
    virtual void deliver(std::span<const JobGrant> grants, std::vector<DeliveredJob> jobs) = 0;

    // The batch is not committed.
    virtual void give_back(std::span<const JobGrant> grants) = 0;

    // Committed jobs that nobody had waited for: those who wait by now should claim them.
    virtual void announce(std::span<const WaitingType> waiting) = 0;
};

}  // namespace millrace
