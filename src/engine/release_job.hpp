#pragma once

#include <string>

#include "commit/command.hpp"
#include "core/job/transitions.hpp"

namespace millrace {

// Gives a job back on behalf of the worker that holds it, untried: it is offered again at once or
// after a delay, and no retry is consumed. Releasing what nobody holds, or what is over, changes
// nothing.
struct ReleaseJob {
    static constexpr std::string_view kName = "instance.release_job";

    JobKey job{};
    LeaseProof proof{};
    Duration delay{};
    std::string reason{};
};

Footprint footprint(const ReleaseJob& command);
Result<Decision<Job>> decide(const ReleaseJob& command, const WorkingSet& rows, Instant now);

}  // namespace millrace
