#pragma once

#include <memory>

#include "base/result.hpp"
#include "executor/temporal/temporal_options.hpp"

namespace grpc {
class Channel;
}

namespace millrace {

// Connects when it is first used. Refuses with invalid_argument: no address, files that cannot be
// read, a certificate without its key, an API key that cannot be sent.
Result<std::shared_ptr<grpc::Channel>> open_channel(const TemporalOptions& options);

}  // namespace millrace
