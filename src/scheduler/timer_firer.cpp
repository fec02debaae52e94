#include "scheduler/timer_firer.hpp"

#include "engine/fire_timer.hpp"
#include "scheduler/refused_duty.hpp"

namespace millrace {

TimerFirer::Source timer_source(Reader& reader, CommandQueue& queue, const RefusedNote& note) {
    return {
        .next = [&reader](Instant after) { return reader.next_timer(after); },
        .submit =
            [&queue, note](const TimerKey& timer, std::function<void(const Status&)> done) {
                // One that did not fire is no longer there to fire.
                const auto end = [&queue, timer, note,
                                  done = std::move(done)](const Result<FiredTimer>& fired) {
                    const InstanceKey instance{instance_of(timer.id), timer.workspace_id};
                    end_step_duty(queue, instance, timer.id.value.sequence(),
                                  "its timer cannot fire", fired ? ok() : Status(fired.error()),
                                  note, done);
                };
                queue.submit_duty(FireTimer{timer}, end);
            },
        .due_after =
            [&reader](Instant now, const std::optional<Due<TimerKey>>& after,
                      std::int32_t count_max) { return reader.due_timers(now, after, count_max); },
    };
}

}  // namespace millrace
