#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "base/clock.hpp"
#include "base/mutex.hpp"
#include "base/result.hpp"
#include "scheduler/duty_round.hpp"

namespace millrace {

// Does one kind of work when it falls due: asks the store what is due, submits a command for each,
// and sleeps until the next one. What the process itself commits is told to it by note(), so it
// wakes on time and not on a fixed beat. The timer firer and the lease reaper are made of it.
template <class Key>
class DueLoop {
public:
    struct Source {
        std::function<Result<std::vector<Key>>(Instant now, std::int32_t count_max)> due{};
        std::function<Result<std::optional<Instant>>()> next{};
        // Calls back once, on any thread: whether the work is done or no longer there to do.
        std::function<void(const Key&, std::function<void(bool)>)> submit{};
    };

    // `wake` is called when run_once should be, on any thread. `sleep_max` bounds the sleep on a
    // store that other processes write to; empty for no bound.
    DueLoop(Source source, const Clock& clock, std::optional<Duration> sleep_max,
            std::function<void()> wake)
        : source_(std::move(source)),
          clock_(clock),
          sleep_max_(sleep_max),
          wake_(std::move(wake)) {}

    // Something falls due then.
    void note(Instant due_at) {
        {
            const MutexLock lock(mutex_);
            if (next_at_ && *next_at_ <= due_at) return;
            next_at_ = due_at;
        }
        wake_();
    }

    DutyRound run_once() {
        const Instant now = clock_.now();
        {
            const MutexLock lock(mutex_);
            if (in_flight_ > 0) return {};
            if (now < resume_at_) return {.next_at = resume_at_};
            // From here on, note() is about work that the reads below may have missed.
            next_at_.reset();
        }
        const Result<std::vector<Key>> keys = source_.due(now, kKeysMax);
        if (!keys) return {.unhealthy = true};
        if (!keys->empty()) return submit_all(*keys);

        const Result<std::optional<Instant>> next = source_.next();
        if (!next) return {.unhealthy = true};
        return {.next_at = remember(*next, now)};
    }

private:
    static constexpr std::int32_t kKeysMax = 1'000;  // A batch full.
    static constexpr Duration kPauseAfterFailure = std::chrono::seconds{1};

    // The last one to end calls for the next round.
    DutyRound submit_all(const std::vector<Key>& keys) {
        {
            const MutexLock lock(mutex_);
            in_flight_ = keys.size();
        }
        for (const Key& key : keys) {
            source_.submit(key, [this](bool is_done) { end_one(is_done); });
        }
        return {};
    }

    void end_one(bool is_done) {
        {
            const MutexLock lock(mutex_);
            // What could not be done stays due: without a pause it would be tried in a tight loop.
            if (!is_done) resume_at_ = clock_.now() + kPauseAfterFailure;
            if (--in_flight_ > 0) return;
        }
        wake_();
    }

    std::optional<Instant> remember(std::optional<Instant> next, Instant now) {
        if (sleep_max_) next = std::min(next.value_or(now + *sleep_max_), now + *sleep_max_);
        const MutexLock lock(mutex_);
        if (next && (!next_at_ || *next < *next_at_)) next_at_ = next;
        return next_at_;
    }

    Source source_;
    const Clock& clock_;
    const std::optional<Duration> sleep_max_;
    std::function<void()> wake_;

    Mutex mutex_;
    std::optional<Instant> next_at_ MILLRACE_GUARDED_BY(mutex_);
    std::size_t in_flight_ MILLRACE_GUARDED_BY(mutex_) = 0;
    Instant resume_at_ MILLRACE_GUARDED_BY(mutex_){};
};

}  // namespace millrace
