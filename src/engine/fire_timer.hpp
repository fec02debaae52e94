#pragma once

#include "commit/command.hpp"

namespace millrace {

enum class FiredTimer {
    nothing,      // Its step is over, or it is not due by the clock of this commit.
    dispatched,   // Its target runs beside the step.
    interrupted,  // Its target runs instead of the step.
    started,      // The start that was put off has happened, of itself or of its chain.
};

// Fires a boundary timer, or a start that was put off, and answers what came of it.
struct FireTimer {
    static constexpr std::string_view kName = "instance.fire_timer";
    static std::string_view name_of(FiredTimer fired);

    TimerKey timer{};
};

Footprint footprint(const FireTimer& command);
Result<Decision<FiredTimer>> decide(const FireTimer& command, const WorkingSet& rows, Instant now);

}  // namespace millrace
