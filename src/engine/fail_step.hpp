#pragma once

#include "commit/command.hpp"

namespace millrace {

// Fails an instance because the engine can never do its own part of one of its steps: what a timer
// or the end of a lease would write is refused, today and tomorrow. Answers with the instance.
// not_found: the step is over.
struct FailStep {
    static constexpr std::string_view kName = "instance.fail_step";

    InstanceKey instance{};
    std::uint32_t sequence = 0;  // Of the timer or job that cannot go on.
    std::string reason{};
};

Footprint footprint(const FailStep& command);
Result<Decision<Instance>> decide(const FailStep& command, const WorkingSet& rows, Instant now);

}  // namespace millrace
