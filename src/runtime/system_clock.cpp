#include "runtime/system_clock.hpp"

#include <chrono>
#include <ctime>

#include "base/check.hpp"

namespace millrace::runtime {

Instant ForwardTime::at(Instant wall, Duration steady) {
    const Duration::rep seen = (wall.time_since_epoch() - steady).count();
    Duration::rep offset = offset_.load(std::memory_order_relaxed);
    while (offset < seen && !offset_.compare_exchange_weak(offset, seen)) {
    }
    return Instant(steady + Duration(std::max(offset, seen)));
}

Instant SystemClock::now() const {
    using namespace std::chrono;
    const auto wall = time_point_cast<Duration>(system_clock::now());
    const auto steady = duration_cast<Duration>(steady_clock::now().time_since_epoch());
    return time_.at(wall, steady);
}

Instant SteadyClock::now() const {
    timespec time{};
    MILLRACE_CHECK(clock_gettime(CLOCK_BOOTTIME, &time) == 0);
    return Instant(std::chrono::seconds{time.tv_sec} +
                   std::chrono::duration_cast<Duration>(std::chrono::nanoseconds{time.tv_nsec}));
}

}  // namespace millrace::runtime
