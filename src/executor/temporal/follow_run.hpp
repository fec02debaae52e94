#pragma once

#include <functional>

#include "executor/remote_executor.hpp"
#include "executor/temporal/service.hpp"

namespace millrace {

// Looks at a run and at those that follow it, up to the last one; with `waits`, until that one is
// over or the deadline has come, which is then reported as running.
void follow_run(Service& service, const ExecutionKey& execution, const RunRef& run, bool waits,
                Deadline deadline, std::function<void(CallResult<RunReport>)> done);

}  // namespace millrace
