#include "api/rest/handlers.hpp"
#include "api/rest/job_calls.hpp"
#include "api/rest/seconds.hpp"
#include "core/bounded_message.hpp"
#include "core/limits.hpp"
#include "engine/fail_job.hpp"

namespace millrace::rest {

namespace {

struct FailCall {
    using Request = FailJob;

    static FailJob parse(BodyReader& body) {
        FailJob command{.proof = lease_proof_of(body)};
        command.retryable = body.flag("retryable");
        command.message = bounded_message(body.text("errorMessage"));
        if (const std::optional<double> seconds = body.number("retryAfterSeconds")) {
            command.retry_after = clamped_seconds(seconds, Duration::zero(), Duration::zero(),
                                                  limits::kAskedDelayMax);
        }
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
