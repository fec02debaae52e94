#pragma once

#include <atomic>
#include <cstddef>
#include <string>

#include "millrace/client/documents.hpp"
#include "millrace/client/job_context.hpp"
#include "millrace/client/requests.hpp"

namespace millrace::client {

// A job that a worker holds: in line for a handler, in one, or on its way back to the server.
class ActiveJob final : public JobContext {
public:
    ActiveJob(Job job_given, std::size_t group_given)
        : job(std::move(job_given)), claim(claim_of(job)), group(group_given) {}

    using JobContext::end;

    const Job job;
    const JobClaim claim;
    // Of the slot that it takes.
    const std::size_t group;
    // The server said that it is no longer ours, or it has run out.
    std::atomic<bool> is_lost = false;
    // The handler has returned.
    std::atomic<bool> is_reporting = false;
    // The worker returns without its outcome.
    std::atomic<bool> is_abandoned = false;
};

}  // namespace millrace::client
