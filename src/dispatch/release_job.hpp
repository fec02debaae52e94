#pragma once

#include "commit/command.hpp"

namespace millrace {

// Puts a job that was claimed but never reached its worker back in line. Answers whether it did.
struct ReleaseJob {
    static constexpr std::string_view kName = "job.release";

    JobKey job{};
    std::int64_t lease_token = 0;
};

Footprint footprint(const ReleaseJob& command);
Result<Decision<bool>> decide(const ReleaseJob& command, const WorkingSet& rows, Instant now);

}  // namespace millrace
