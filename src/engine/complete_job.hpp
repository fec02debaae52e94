#pragma once

#include "base/json/value.hpp"
#include "commit/command.hpp"
#include "core/job/transitions.hpp"

namespace millrace {

// Finishes a job on behalf of its worker, merges its variables, runs the instance on and answers
// with the finished job. A repeated call gets the same answer and writes nothing.
struct CompleteJob {
    static constexpr std::string_view kName = "instance.complete_job";

    JobKey job{};
    LeaseProof proof{};
    json::Value variables{};  // An object, or null for none.
    // The worker has its numbers as doubles: an integer that it hands back as it got it comes
    // rounded, and is taken for the one it was.
    bool numbers_are_rounded = false;
};

Footprint footprint(const CompleteJob& command);
Result<Decision<Job>> decide(const CompleteJob& command, const WorkingSet& rows, Instant now);

}  // namespace millrace
