#pragma once

#include <optional>
#include <string>

#include "commit/command.hpp"
#include "core/job/transitions.hpp"

namespace millrace {

// Ends a try of a job as failed. While it is retryable and retries remain the job goes back in
// line; else the job, its step and its instance fail. Failing what is over changes nothing.
struct FailJob {
    static constexpr std::string_view kName = "instance.fail_job";

    JobKey job{};
    LeaseProof proof{};
    bool retryable = false;
    std::string message{};
    // How long the next try waits; by default as long as the retry policy says.
    std::optional<Duration> retry_after{};
};

struct FailedJob {
    Job job{};
    bool is_retried = false;  // This very call has put it back in line.
};

Footprint footprint(const FailJob& command);
Result<Decision<FailedJob>> decide(const FailJob& command, const WorkingSet& rows, Instant now);

}  // namespace millrace
