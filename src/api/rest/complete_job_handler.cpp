#include "api/rest/handlers.hpp"
#include "api/rest/job_calls.hpp"
#include "engine/complete_job.hpp"

namespace millrace::rest {

namespace {

struct CompleteCall {
    using Request = CompleteJob;

    static CompleteJob parse(BodyReader& body) {
        const LeaseProof proof = lease_proof_of(body);
        return {.proof = proof, .variables = body.object("variables")};
    }
    static void note_client(CompleteJob& command, const http::ClientTraits& client) {
        command.numbers_are_rounded = client.has_rounded_numbers;
    }
    static bool is_retry(const Job&) { return false; }
};

}  // namespace

http::Handler complete_job_handler(const Context& context) {
    return JobCalls<CompleteCall>::one(context);
}

http::Handler complete_jobs_handler(const Context& context) {
    return JobCalls<CompleteCall>::list(context);
}

}  // namespace millrace::rest
