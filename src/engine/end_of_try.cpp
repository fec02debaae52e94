#include "engine/end_of_try.hpp"

namespace millrace {

Try end_of_try(const Job& job, const LeaseProof& proof, TryOutcome outcome, std::string message,
               Instant now) {
    Try attempt{
        .worker_id = proof.worker_id,
        .lease_token = job.lease_token,
        .ended_at = now,
        .outcome = outcome,
        .message = std::move(message),
    };
    if (job.lease) {
        attempt.started_at = job.lease->locked_at;
        if (attempt.worker_id == WorkerId{}) attempt.worker_id = job.lease->worker_id;
    }
    return attempt;
}

}  // namespace millrace
