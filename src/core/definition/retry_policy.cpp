#include "core/definition/retry_policy.hpp"

#include <algorithm>
#include <cmath>

namespace millrace {

namespace {

// 0 up to 1, evenly spread over jobs and their failures (splitmix64).
double dice(JobId job, std::int32_t failures) {
    std::uint64_t bits = job.value.high ^ job.value.low ^
                         (static_cast<std::uint64_t>(failures) * 0x9E3779B97F4A7C15u);
    bits = (bits ^ (bits >> 30)) * 0xBF58476D1CE4E5B9u;
    bits = (bits ^ (bits >> 27)) * 0x94D049BB133111EBu;
    return static_cast<double>((bits ^ (bits >> 31)) >> 11) * 0x1p-53;
}

}  // namespace

Duration delay_after(const RetryPolicy& policy, std::int32_t failures, JobId job) {
    if (policy.initial_delay <= Duration::zero()) return Duration::zero();
    const auto longest = static_cast<double>(policy.max_delay.count());
    const double grown = static_cast<double>(policy.initial_delay.count()) *
                         std::pow(policy.factor, std::max(failures, 1) - 1);
    const double bounded = std::min(grown, longest);
    const double shift = policy.jitter * (2 * dice(job, failures) - 1);
    return Duration{static_cast<Duration::rep>(std::min(bounded * (1 + shift), longest))};
}

}  // namespace millrace
