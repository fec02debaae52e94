#pragma once

#include "base/trace_context.hpp"
#include "engine/run_event.hpp"

namespace millrace {

// What becomes of an execution that is let in and runs here.
struct StartedHere {
    Execution execution{};  // DISPATCHED, or FAILED when it could not start.
    Effects effects{};      // Those of its instances; the execution itself is not among them.
    Footprint missing{};    // Not empty: nothing is decided, these rows are needed first.
};

// What spans are to tell of those that run here.
struct StartTrace {
    bool is_recorded = false;  // Of those whose enqueuer's trace is sampled.
    TraceContext round{};      // Recorded: others go on there, below the step that starts them.
};

// Whether its steps run in the same transaction, or in one of their own. One that resumes runs at
// once.
enum class StartMoment { now, later };

// Claims, starts and dispatches it, or lets its instance go on when it resumes, in one decision.
// `waiting.execution` is PENDING and as it is now.
StartedHere start_here(const WorkingSet& rows, const WaitingExecution& waiting,
                       const std::string& owner, const StartTrace& trace, StartMoment moment,
                       Instant now);

// FAILED because its definition is gone: all of it, or this version.
StartedHere without_definition(const WorkingSet& rows, Execution execution, Instant now);

}  // namespace millrace
