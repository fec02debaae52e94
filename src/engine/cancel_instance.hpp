#pragma once

#include <string>

#include "commit/command.hpp"

namespace millrace {

// Ends an instance that is not over, with all its jobs, tasks and timers, and answers with it.
struct CancelInstance {
    static constexpr std::string_view kName = "instance.cancel";

    InstanceKey instance{};
    std::string reason{};
};

Footprint footprint(const CancelInstance& command);
Result<Decision<Instance>> decide(const CancelInstance& command, const WorkingSet& rows,
                                  Instant now);

}  // namespace millrace
