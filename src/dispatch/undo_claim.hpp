#pragma once

#include "commit/command.hpp"

namespace millrace {

// Puts a job that was claimed but never reached its worker back in line. Answers whether it did.
struct UndoClaim {
    static constexpr std::string_view kName = "job.undo_claim";

    JobKey job{};
    std::int64_t lease_token = 0;
};

Footprint footprint(const UndoClaim& command);
Result<Decision<bool>> decide(const UndoClaim& command, const WorkingSet& rows, Instant now);

}  // namespace millrace
