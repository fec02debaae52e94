#include "scheduler/sweep_loop.hpp"

#include <algorithm>

namespace millrace {

Round SweepLoop::run_once() {
    const Instant now = clock_.now();
    {
        const MutexLock lock(mutex_);
        if (is_under_way_) return {};
        if (now < next_at_) return {.next_at = next_at_};
        is_under_way_ = true;
    }
    const Result<Sweep::Step> step =
        sweep_.step(now, [this, now](bool is_done) { end_step(now, is_done); });
    if (step && *step == Sweep::Step::submitted) return {};
    {
        const MutexLock lock(mutex_);
        is_under_way_ = false;
    }
    if (!step) return {.unhealthy = true};
    if (*step == Sweep::Step::over) return rest_until(now + interval_);
    const Instant ended_at = clock_.now();
    return rest_until(ended_at + (ended_at - now));
}

Round SweepLoop::rest_until(Instant next_at) {
    const MutexLock lock(mutex_);
    next_at_ = next_at;
    return {.next_at = next_at};
}

void SweepLoop::end_step(Instant began_at, bool is_done) {
    const Instant now = clock_.now();
    {
        const MutexLock lock(mutex_);
        sweep_.note_duration(now - began_at);
        is_under_way_ = false;
        next_at_ = now + (is_done ? now - began_at : kPauseAfterFailure);
    }
    wake_();
}

Duration sweep_interval(Duration shortest_kept) {
    return std::clamp<Duration>(shortest_kept / 10, std::chrono::seconds{1}, std::chrono::hours{1});
}

}  // namespace millrace
