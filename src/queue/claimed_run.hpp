#pragma once

#include "commit/command.hpp"
#include "core/queue/transitions.hpp"

namespace millrace {

// What a replica needs to know to take an execution on that another one has begun: what it runs,
// and by which rules.
struct ClaimedRun {
    DefinitionPtr definition{};  // Null when it is gone or cannot be read.
    DispatchRules rules{};       // With the attempts that its workspace and definition allow.
};

// Asks for the definition first, if it was not.
Footprint missing_for_run(const WorkingSet& rows, const Execution& execution);

ClaimedRun run_of(const WorkingSet& rows, const Execution& execution, const DispatchRules& rules);

}  // namespace millrace
