#include "api/rest/handlers.hpp"
#include "api/rest/job_calls.hpp"
#include "api/rest/seconds.hpp"
#include "core/bounded_message.hpp"
#include "core/limits.hpp"
#include "engine/release_job.hpp"

namespace millrace::rest {

namespace {

struct ReleaseCall {
    using Request = ReleaseJob;

    static ReleaseJob parse(BodyReader& body) {
        ReleaseJob command{.proof = lease_proof_of(body)};
        command.delay = clamped_seconds(body.number("delaySeconds"), Duration::zero(),
                                        Duration::zero(), limits::kAskedDelayMax);
        command.reason = bounded_message(body.text("reason"));
        return command;
    }
    static void note_client(ReleaseJob&, const http::ClientTraits&) {}
    static bool is_retry(const Job&) { return false; }

    // The job shall not come back to its worker with the very commit that frees it.
    static auto watch(JobBroker& broker, const ReleaseJob& command) {
        const WorkerId worker_id = command.proof.worker_id;
        broker.pass_over(command.job, {}, worker_id);
        return [&broker, worker_id](const Job& released) {
            const bool is_open = released.status == JobState::unlocked || is_kept_back(released);
            if (is_open) broker.pass_over(released.key, released.job_type, worker_id);
        };
    }
};

}  // namespace

http::Handler release_job_handler(const Context& context) {
    return JobCalls<ReleaseCall>::one(context);
}

http::Handler release_jobs_handler(const Context& context) {
    return JobCalls<ReleaseCall>::list(context);
}

}  // namespace millrace::rest
