#include "api/rest/seconds.hpp"

#include <algorithm>
#include <chrono>

#include "core/limits.hpp"

namespace millrace::rest {

Duration clamped_seconds(std::optional<double> seconds, Duration if_absent, Duration least,
                         Duration most) {
    if (!seconds) return if_absent;
    using Seconds = std::chrono::duration<double>;
    const Seconds clamped = std::clamp(Seconds(*seconds), Seconds(least), Seconds(most));
    return std::chrono::duration_cast<Duration>(clamped);
}

Duration lease_duration_of(BodyReader& body) {
    const std::optional<double> seconds = body.number("leaseSeconds");
    // Old clients send 0 for "whatever is usual".
    if (!seconds || *seconds == 0) return limits::kLeaseDefault;
    return clamped_seconds(seconds, limits::kLeaseDefault, limits::kLeaseMin, limits::kLeaseMax);
}

}  // namespace millrace::rest
