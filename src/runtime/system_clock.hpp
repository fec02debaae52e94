#pragma once

#include <atomic>

#include "base/clock.hpp"

namespace millrace::runtime {

// Turns readings of the wall clock and of a steady clock into a time that follows the wall clock
// forwards and never goes back or stands still: after the wall clock was set back, it goes on at
// the steady clock's pace. Thread-safe.
class ForwardTime {
public:
    // `wall` must have been read before `steady`: a thread that is suspended between the two then
    // sees the wall clock late, which is harmless, and never early, which would stay for good.
    Instant at(Instant wall, Duration steady);

private:
    std::atomic<Duration::rep> offset_{Duration::min().count()};  // Of wall to steady time.
};

// The machine's time.
class SystemClock final : public Clock {
public:
    Instant now() const override;

private:
    mutable ForwardTime time_;
};

// The time since the machine was started, sleep included. Nobody sets it.
class SteadyClock final : public Clock {
public:
    Instant now() const override;
};

}  // namespace millrace::runtime
