#include "api/rest/handlers.hpp"
#include "api/rest/job_calls.hpp"
#include "core/bounded_message.hpp"
#include "engine/fail_job.hpp"

namespace millrace::rest {

namespace {

struct FailCall {
    using Request = FailJob;

    static FailJob parse(BodyReader& body) {
        FailJob command{.proof = lease_proof_of(body)};
        command.retryable = body.flag("retryable");
        command.message = bounded_message(body.text("errorMessage"));
        return command;
    }
    static void note_client(FailJob&, const http::ClientTraits&) {}
    static bool is_retry(const FailedJob& failed) { return failed.is_retried; }
};

}  // namespace

http::Handler fail_job_handler(const Context& context) {
    return JobCalls<FailCall>::one(context);
}

http::Handler fail_jobs_handler(const Context& context) {
    return JobCalls<FailCall>::list(context);
}

}  // namespace millrace::rest
