#pragma once

#include <vector>

#include "commit/command.hpp"

namespace millrace {

// Removes executions that have ended before a time. What is gone, open again or ended later is left
// alone. Answers how many were removed.
struct RemoveExecutions {
    static constexpr std::string_view kName = "execution.remove";
    static constexpr bool kIsBulky = true;
    static constexpr bool kPassesOverUnreadableRows = true;

    std::vector<ExecutionKey> executions{};
    Instant ended_before{};
};

struct RemovedExecutions {
    std::size_t count = 0;
};

Footprint footprint(const RemoveExecutions& command);
Result<Decision<RemovedExecutions>> decide(const RemoveExecutions& command, const WorkingSet& rows,
                                           Instant now);

}  // namespace millrace
