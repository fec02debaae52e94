#include "api/rest/job_calls.hpp"

namespace millrace::rest {

LeaseProof lease_proof_of(BodyReader& body) {
    return {.worker_id = {body.name("workerId")}, .lease_token = body.integer("leaseToken")};
}

}  // namespace millrace::rest
