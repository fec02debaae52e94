#include "simulator/local_clock.hpp"

#include <utility>

namespace millrace::sim {

Instant LocalClock::now() const {
    return time_.at(wall(), monotonic());
}

void LocalClock::stop_wall() {
    if (!wall_stopped_at_) wall_stopped_at_ = true_time_.now();
}

void LocalClock::go_on() {
    if (!wall_stopped_at_) return;
    wall_offset_ -= true_time_.now() - *std::exchange(wall_stopped_at_, std::nullopt);
}

void LocalClock::fall_asleep(bool is_paused) {
    if (asleep_since_) return;
    asleep_since_ = true_time_.now();
    is_paused_ = is_paused;
    if (is_paused_) stop_wall();
}

void LocalClock::wake() {
    if (!asleep_since_) return;
    const Duration slept = true_time_.now() - *std::exchange(asleep_since_, std::nullopt);
    monotonic_lost_ += slept;
    if (!is_paused_) return;
    boot_lost_ += slept;
    go_on();
}

Instant LocalClock::wall() const {
    return wall_stopped_at_.value_or(true_time_.now()) + wall_offset_;
}

Duration LocalClock::monotonic() const {
    return asleep_since_.value_or(true_time_.now()) - start_ - monotonic_lost_;
}

Duration LocalClock::since_boot() const {
    const bool is_stopped = asleep_since_ && is_paused_;
    return (is_stopped ? *asleep_since_ : true_time_.now()) - start_ - boot_lost_;
}

}  // namespace millrace::sim
