#pragma once

#include "executor/remote_executor.hpp"
#include "executor/temporal/temporal_options.hpp"
#include "executor/temporal/wire.hpp"

namespace millrace {

// What is sent for a start. The same execution is always the same request to Temporal: by its
// workflow id, which is never used twice, and by its request id.
void fill_start_request(const StartRun& start, const TemporalOptions& options,
                        wire::StartWorkflowExecutionRequest& request);

}  // namespace millrace
