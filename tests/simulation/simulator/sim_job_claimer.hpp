#pragma once

#include <memory>

#include "simulator/sim_database.hpp"

namespace millrace::sim {

// A claim whose reply is lost has happened: its jobs come back when their leases run out.
class SimJobClaimer final : public JobClaimer {
public:
    SimJobClaimer(std::unique_ptr<JobClaimer> inner, Line& line)
        : inner_(std::move(inner)), line_(line) {}

    Result<std::vector<DeliveredJob>> claim_jobs(const ClaimJobs& request) override;
    bool others_were_faster() const override { return inner_->others_were_faster(); }
    Result<std::vector<WaitingType>> waiting_types(const std::vector<JobType>& job_types) override;

private:
    std::unique_ptr<JobClaimer> inner_;
    Line& line_;
};

}  // namespace millrace::sim
