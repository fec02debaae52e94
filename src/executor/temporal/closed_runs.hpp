#pragma once

#include <string>

#include "base/time.hpp"
#include "executor/remote_executor.hpp"
#include "executor/temporal/wire.hpp"

namespace millrace {

// Asks for the runs with ids of ours that closed since then, and were not merely continued.
std::string closed_runs_query(Instant since);

// Those of them whose memo says that they are ours.
ClosedRuns closed_runs(const wire::ListWorkflowExecutionsResponse& response);

}  // namespace millrace
