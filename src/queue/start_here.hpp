#pragma once

#include "engine/run_event.hpp"

namespace millrace {

// What becomes of an execution that is let in and runs here.
struct StartedHere {
    Execution execution{};  // DISPATCHED, or FAILED when it could not start.
    Effects effects{};      // Those of its instances; the execution itself is not among them.
    Footprint missing{};    // Not empty: nothing is decided, these rows are needed first.
};

// Claims, starts and dispatches it, or lets its instance go on when it resumes, in one decision.
// `waiting.execution` is PENDING and as it is now.
StartedHere start_here(const WorkingSet& rows, const WaitingExecution& waiting,
                       const std::string& owner, bool records_traces, Instant now);

// FAILED because its definition is gone: all of it, or this version.
StartedHere without_definition(const WorkingSet& rows, Execution execution, Instant now);

}  // namespace millrace
