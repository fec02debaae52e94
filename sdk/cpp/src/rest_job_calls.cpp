#include "millrace/client/job_calls.hpp"

namespace millrace::client {
namespace {

class RestJobCalls final : public JobCalls {
public:
    explicit RestJobCalls(const ClientOptions& server) : polling_(server), reporting_(server) {}

    Result<std::vector<Job>> poll(const PollJobs& poll) override {
        return polling_.poll_jobs(poll);
    }
    Status complete(const CompleteJob& job, Duration within) override {
        return reporting_.complete_job(job, within);
    }
    Status fail(const FailJob& job, Duration within) override {
        return reporting_.fail_job(job, within);
    }
    Status release(const ReleaseJob& job, Duration within) override {
        return reporting_.release_job(job, within);
    }
    Status extend(const JobClaim& claim, std::chrono::seconds lease_duration,
                  Duration within) override {
        return reporting_.extend_job(claim, lease_duration, within);
    }
    void end_polls() override { polling_.interrupt(); }
    void end_all() override {
        polling_.interrupt();
        reporting_.interrupt();
    }

private:
    Client polling_;
    Client reporting_;
};

}  // namespace

std::unique_ptr<JobCalls> rest_job_calls(const ClientOptions& server) {
    ClientOptions once = server;
    once.tries_max = 1;  // A worker repeats by itself, with an eye on its leases.
    return std::make_unique<RestJobCalls>(once);
}

}  // namespace millrace::client
