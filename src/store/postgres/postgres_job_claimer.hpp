#pragma once

#include "store/job_claimer.hpp"
#include "store/postgres/transaction.hpp"

namespace millrace::postgres {

// One round trip for each claim, on a connection of its own: it never waits for a batch.
class PostgresJobClaimer final : public JobClaimer {
public:
    explicit PostgresJobClaimer(PostgresOptions options);

    Result<std::vector<DeliveredJob>> claim_jobs(const ClaimJobs& request) override;
    bool others_were_faster() const override { return others_were_faster_; }
    Result<std::vector<WaitingType>> waiting_types(const std::vector<JobType>& job_types) override;

private:
    Result<std::vector<Rows>> run(const char* begin, Call work);

    const PostgresOptions options_;
    Connection connection_;
    bool others_were_faster_ = false;
};

}  // namespace millrace::postgres
