#pragma once

#include <functional>
#include <optional>

#include "executor/remote_executor.hpp"
#include "executor/temporal/run_report.hpp"
#include "executor/temporal/service.hpp"

namespace millrace {

// The run, or nothing when there is none; with the status of the call that told so.
using FoundRun = std::function<void(const CallStatus&, const std::optional<DescribedRun>&)>;

// Asks for a run and whose it is. A run that followed another one may have lost its memo: then the
// memo of the first one counts. An unknown namespace has no runs.
void find_run(Service& service, const ExecutionKey& execution, const RunRef& run, Deadline deadline,
              FoundRun done);

}  // namespace millrace
