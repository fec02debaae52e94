#pragma once

#include <functional>

#include "executor/remote_executor.hpp"
#include "executor/temporal/service.hpp"
#include "executor/temporal/temporal_options.hpp"

namespace millrace {

// Starts a run, on a connection that stands. Whose run it is that is already there, is asked.
void start_run(Service& service, const TemporalOptions& options, const StartRun& start,
               Deadline deadline, std::function<void(StartAnswer)> done);

}  // namespace millrace
