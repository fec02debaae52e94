#include "simulator/sim_job_claimer.hpp"

namespace millrace::sim {

Result<std::vector<DeliveredJob>> SimJobClaimer::claim_jobs(const ClaimJobs& request) {
    const std::optional<Fault> fault = line_.begin(StoreCall::claim);
    const bool takes_effect = !fault || fault == Fault::reply_lost || fault == Fault::killed;
    if (!takes_effect) return refused(*fault);
    Result<std::vector<DeliveredJob>> jobs = inner_->claim_jobs(request);
    if (jobs && !jobs->empty()) {
        line_.store.tell_claimed(*jobs, line_.time.now(), line_.replica);
    }
    line_.end(fault);
    if (fault) return Error{ErrorCode::commit_unknown, "simulated"};
    return jobs;
}

Result<std::vector<WaitingType>> SimJobClaimer::waiting_types(
    const std::vector<JobType>& job_types) {
    const std::optional<Fault> fault = line_.begin(StoreCall::read);
    line_.end(fault);
    if (fault) return refused(*fault);
    return inner_->waiting_types(job_types);
}

}  // namespace millrace::sim
