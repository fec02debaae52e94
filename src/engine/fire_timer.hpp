#pragma once

#include "commit/command.hpp"

namespace millrace {

// Fires a boundary timer. Answers whether it did: one whose step is over, or that is not due by the
// clock of this commit, does nothing.
struct FireTimer {
    static constexpr std::string_view kName = "instance.fire_timer";

    TimerKey timer{};
};

Footprint footprint(const FireTimer& command);
Result<Decision<bool>> decide(const FireTimer& command, const WorkingSet& rows, Instant now);

}  // namespace millrace
