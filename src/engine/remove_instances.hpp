#pragma once

#include <cstdint>
#include <vector>

#include "commit/command.hpp"

namespace millrace {

// Removes instances that have ended before a time, with their histories and user tasks. What is
// gone, open again, waits to go on or ended later is left alone. Answers how many were removed.
struct RemoveInstances {
    static constexpr std::string_view kName = "instance.remove";
    static constexpr bool kIsBulky = true;
    static constexpr bool kPassesOverUnreadableRows = true;

    std::vector<InstanceKey> instances{};
    Instant ended_before{};
};

struct RemovedInstances {
    std::size_t count = 0;
};

Footprint footprint(const RemoveInstances& command);
Result<Decision<RemovedInstances>> decide(const RemoveInstances& command, const WorkingSet& rows,
                                          Instant now);

}  // namespace millrace
