#pragma once

#include "commit/command.hpp"
#include "core/job/transitions.hpp"

namespace millrace {

// Gives the holder of a job more time and answers with the job. A refusal names its cause.
struct ExtendLease {
    static constexpr std::string_view kName = "job.extend_lease";

    JobKey job{};
    LeaseProof proof{};
    Duration lease_duration{};
};

Footprint footprint(const ExtendLease& command);
Result<Decision<Job>> decide(const ExtendLease& command, const WorkingSet& rows, Instant now);

}  // namespace millrace
