#include "scheduler/timer_firer.hpp"

#include "engine/fire_timer.hpp"

namespace millrace {

TimerFirer::Source timer_source(Reader& reader, CommandQueue& queue) {
    return {
        .due = [&reader](Instant now,
                         std::int32_t count_max) { return reader.due_timers(now, count_max); },
        .next = [&reader] { return reader.next_timer(); },
        .submit =
            [&queue](const TimerKey& timer, std::function<void(bool)> done) {
                // One that did not fire is no longer there to fire.
                queue.submit(FireTimer{timer},
                             [done = std::move(done)](const Result<FiredTimer>& fired) {
                                 done(static_cast<bool>(fired));
                             });
            },
    };
}

}  // namespace millrace
