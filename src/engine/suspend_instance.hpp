#pragma once

#include "commit/command.hpp"

namespace millrace {

// Stops an instance until it is resumed: none of its waiting jobs is handed out, no timer fires,
// nothing new begins. A worker that holds a job may finish it. Answers with the instance; one that
// is suspended already stays as it is.
struct SuspendInstance {
    static constexpr std::string_view kName = "instance.suspend";

    InstanceKey instance{};
};

Footprint footprint(const SuspendInstance& command);
Result<Decision<Instance>> decide(const SuspendInstance& command, const WorkingSet& rows,
                                  Instant now);

}  // namespace millrace
