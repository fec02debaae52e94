#pragma once

#include <cstdint>

#include "base/id.hpp"
#include "base/time.hpp"

namespace millrace {

// How long a job waits before its next try: initial_delay after the first failure, `factor` times
// as long after each further one, never more than max_delay. The default waits not at all.
struct RetryPolicy {
    Duration initial_delay{};
    double factor = 2;
    Duration max_delay{};
    // The share of a delay by which it is made shorter or longer, 0 to 1, so that jobs that failed
    // together do not come back together.
    double jitter = 0;

    friend bool operator==(const RetryPolicy&, const RetryPolicy&) = default;
};

// The wait after the n-th failure, counted from 1. Pure: the job's own id is the source of chance.
Duration delay_after(const RetryPolicy& policy, std::int32_t failures, JobId job);

}  // namespace millrace
