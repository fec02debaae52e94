#pragma once

#include <chrono>
#include <memory>
#include <vector>

#include "millrace/client/client.hpp"

namespace millrace::client {

// The calls that a worker makes, whatever carries them. From several threads at once.
class JobCalls {
public:
    virtual ~JobCalls() = default;

    virtual Result<std::vector<Job>> poll(const PollJobs& poll) = 0;
    // Each takes at most `within`.
    virtual Status complete(const CompleteJob& job, Duration within) = 0;
    virtual Status fail(const FailJob& job, Duration within) = 0;
    virtual Status release(const ReleaseJob& job, Duration within) = 0;
    virtual Status extend(const JobClaim& claim, std::chrono::seconds lease_duration,
                          Duration within) = 0;

    // Ends polls that wait, and all to come, with the code `interrupted`. Other calls go on.
    virtual void end_polls() = 0;
    // The same for all calls.
    virtual void end_all() = 0;
};

// Over REST, on connections that polls do not share with the others.
std::unique_ptr<JobCalls> rest_job_calls(const ClientOptions& server);

}  // namespace millrace::client
