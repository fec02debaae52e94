#pragma once

#include <chrono>
#include <functional>

#include "base/clock.hpp"
#include "base/mutex.hpp"
#include "base/result.hpp"
#include "base/round.hpp"

namespace millrace {

// Goes through something that expires, from its beginning to its end. Called from one thread.
class Sweep {
public:
    virtual ~Sweep() = default;

    enum class Step {
        looked,     // Nothing to remove here: look on.
        submitted,  // Some are being removed: `done` is called once, on any thread.
        over,       // That was the end; the next step is at the beginning again.
    };

    // Looks at the next few. Bounded: milliseconds.
    virtual Result<Step> step(Instant now, std::function<void(bool)> done) = 0;

    // How long what was submitted last has taken; told between two steps.
    virtual void note_duration(Duration) {}
};

// Sweeps, pass after pass: a duty of the cluster; where two replicas do it for a moment, what one
// has removed is gone for the other. It rests after each step for as long as the step took, so that
// it costs half of one connection at most.
class SweepLoop {
public:
    // `wake` is called when run_once should be, on any thread.
    SweepLoop(Sweep& sweep, Duration interval, const Clock& clock, std::function<void()> wake)
        : sweep_(sweep), interval_(interval), clock_(clock), wake_(std::move(wake)) {}

    Round run_once();

private:
    static constexpr Duration kPauseAfterFailure = std::chrono::minutes{1};

    Round rest_until(Instant next_at);
    void end_step(Instant began_at, bool is_done);

    Sweep& sweep_;
    const Duration interval_;
    const Clock& clock_;
    std::function<void()> wake_;

    Mutex mutex_;
    bool is_under_way_ MILLRACE_GUARDED_BY(mutex_) = false;
    Instant next_at_ MILLRACE_GUARDED_BY(mutex_){};
};

// How often a pass begins where the shortest time that something is kept is this: so that nothing
// stays much longer, and not without need.
Duration sweep_interval(Duration shortest_kept);

}  // namespace millrace
