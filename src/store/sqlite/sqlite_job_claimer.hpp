#pragma once

#include "store/job_claimer.hpp"
#include "store/sqlite/writer.hpp"

namespace millrace::sqlite {

// A claim is a turn on the writer.
class SqliteJobClaimer final : public JobClaimer {
public:
    explicit SqliteJobClaimer(Writer& writer) : writer_(writer) {}

    Result<std::vector<DeliveredJob>> claim_jobs(const ClaimJobs& request) override;
    Result<std::vector<WaitingType>> waiting_types(const std::vector<JobType>& job_types) override;

private:
    Writer& writer_;
};

}  // namespace millrace::sqlite
