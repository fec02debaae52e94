#pragma once

#include "store/job_claimer.hpp"
#include "store/memory/memory_state.hpp"

namespace millrace {

class MemoryJobClaimer final : public JobClaimer {
public:
    explicit MemoryJobClaimer(MemoryState& state) : state_(state) {}

    Result<std::vector<DeliveredJob>> claim_jobs(const ClaimJobs& request) override;
    Result<std::vector<WaitingType>> waiting_types(const std::vector<JobType>& job_types) override;

private:
    MemoryState& state_;
};

}  // namespace millrace
