#pragma once

#include <memory>

#include "base/result.hpp"
#include "executor/remote_executor.hpp"
#include "executor/temporal/temporal_options.hpp"

namespace millrace {

// A Temporal cluster, or one namespace of a hosted one. Does not wait for a connection; refuses
// options that can never work with invalid_argument. Each `done` is called on a thread of gRPC: it
// hands over and returns. Destroying the executor ends what is under way and waits for the last
// `done`, so do it on a thread of your own.
//
// A start is only handed to gRPC on a connection that stands, because gRPC does not tell a request
// that never left from one whose answer got lost. What fails before that is unreachable; later, it
// is unknown.
Result<std::unique_ptr<RemoteExecutor>> open_temporal(const TemporalOptions& options);

}  // namespace millrace
