#include "scheduler/idempotency_forgetter.hpp"

#include "core/limits.hpp"
#include "engine/forget_idempotency_keys.hpp"

namespace millrace {

Round IdempotencyForgetter::run_once() {
    const Instant now = clock_.now();
    {
        const MutexLock lock(mutex_);
        if (is_under_way_) return {};
        if (now < next_at_) return {.next_at = next_at_};
    }
    const Result<std::optional<Instant>> oldest = reader_.oldest_idempotency_record();
    if (!oldest) return {.unhealthy = true};
    const Instant before = now - limits::kIdempotencyKept;
    const bool is_something_old = *oldest && **oldest < before;
    {
        const MutexLock lock(mutex_);
        if (!is_something_old) {
            next_at_ = now + kInterval;
            return {.next_at = next_at_};
        }
        is_under_way_ = true;
    }
    queue_.submit_duty(ForgetIdempotencyKeys{before}, [this](const Result<Forgotten>& done) {
        end_batch(static_cast<bool>(done));
    });
    return {};
}

// What could not be done has time until the next hour.
void IdempotencyForgetter::end_batch(bool is_done) {
    {
        const MutexLock lock(mutex_);
        is_under_way_ = false;
        if (!is_done) next_at_ = clock_.now() + kInterval;
    }
    wake_();
}

}  // namespace millrace
