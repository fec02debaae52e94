#pragma once

#include <string>

#include "base/time.hpp"
#include "executor/temporal/temporal_options.hpp"

namespace millrace::bench {

struct StartOptions {
    TemporalOptions target{};
    std::string workflow_type = "Nothing";
    int starts = 1'000;
    int in_flight = 64;
    std::size_t input_bytes = 256;
    std::string trace_parent{};
    Duration timeout = std::chrono::seconds{10};
};

// Starts runs through the client that the server uses, so many at a time, and tells the rate, how
// long a start took, and what came of them, as JSON.
std::string run_starts(const StartOptions& options);

}  // namespace millrace::bench
