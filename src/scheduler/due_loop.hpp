#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <iterator>
#include <optional>
#include <set>
#include <vector>

#include "base/clock.hpp"
#include "base/mutex.hpp"
#include "base/result.hpp"
#include "scheduler/duty_round.hpp"
#include "scheduler/set_aside.hpp"

namespace millrace {

// For a source that can only tell the first time of all: when that one is overdue, a second later
// is soon enough to look for the others.
inline Result<std::optional<Instant>> first_after(Result<std::optional<Instant>> first,
                                                  Instant after) {
    if (first && *first && **first <= after) *first = after + std::chrono::seconds{1};
    return first;
}

// Does one kind of work when it falls due: asks the store what is due, submits a command for each,
// and sleeps until the next one. What the process itself commits is told to it by note(), so it
// wakes on time and not on a fixed beat. The timer firer and the lease reaper are made of it.
//
// A row that fails is set aside for a while and read past: it delays no other row.
template <class Key>
class DueLoop {
public:
    struct Source {
        std::function<Result<std::vector<Key>>(Instant now, std::int32_t count_max)> due{};
        // When the first one falls due after that moment.
        std::function<Result<std::optional<Instant>>(Instant after)> next{};
        // Calls back once, on any thread. ok: the work is done or no longer there to do.
        std::function<void(const Key&, std::function<void(const Status&)>)> submit{};
        // For a store that other processes work on, too: each prefers another part of what is due.
        std::function<std::uint64_t(const Key&)> preference{};
    };

    // Who wants to know of rows that cannot be done. Called on any thread.
    struct Notes {
        // `failures` in a row. Whether trying again can help, the code of the error says.
        std::function<void(const Key&, const Error&, int failures)> set_aside{};
        // Since when the oldest row is overdue that is not done yet, and how many are set aside.
        std::function<void(std::optional<Instant> since, std::size_t aside)> overdue{};
    };

    // `wake` is called when run_once should be, on any thread. `sleep_max` bounds the sleep on a
    // store that other processes write to; empty for no bound.
    DueLoop(Source source, const Clock& clock, std::optional<Duration> sleep_max,
            std::function<void()> wake, Notes notes = {})
        : source_(std::move(source)),
          clock_(clock),
          sleep_max_(sleep_max),
          wake_(std::move(wake)),
          notes_(std::move(notes)) {}

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
        std::size_t known = 0;
        {
            const MutexLock lock(mutex_);
            if (in_flight_.size() >= kKeysMax) return {.next_at = now + kPatience};
            // From here on, note() is about work that the reads below may have missed.
            next_at_.reset();
            known = in_flight_.size() + aside_.size();
        }
        const std::size_t count_max = kKeysMax + known;
        Result<std::vector<Key>> due = source_.due(now, static_cast<std::int32_t>(count_max));
        if (!due) return {.unhealthy = true};
        const bool is_all = due->size() < count_max;
        if (const Status told = tell_overdue(*due, now); !told) return {.unhealthy = true};
        const std::vector<Key> fresh = choose(*due, is_all, now);
        for (const Key& key : fresh) {
            source_.submit(key, [this, key](const Status& status) { end_one(key, status); });
        }
        if (!is_all) return {.next_at = now + kPatience};

        const Result<std::optional<Instant>> next = source_.next(now);
        if (!next) return {.unhealthy = true};
        return {.next_at = remember(*next, now)};
    }

private:
    static constexpr std::size_t kKeysMax = 1'000;  // Under way at once.
    static constexpr std::size_t kShareLeast = 100;
    // How long a loop with work under way waits until it looks for more.
    static constexpr Duration kPatience = std::chrono::seconds{1};

    Status tell_overdue(const std::vector<Key>& due, Instant now) {
        if (!notes_.overdue) return ok();
        std::optional<Instant> since;
        if (!due.empty()) {
            const Result<std::optional<Instant>> oldest = source_.next(Instant{});
            if (!oldest) return oldest.error();
            if (*oldest && **oldest <= now) since = **oldest;
        }
        std::size_t aside = 0;
        {
            const MutexLock lock(mutex_);
            aside = aside_.size();
        }
        notes_.overdue(since, aside);
        return ok();
    }

    // Those that are neither under way nor set aside; they are under way from now on.
    std::vector<Key> choose(const std::vector<Key>& due, bool is_all, Instant now) {
        const MutexLock lock(mutex_);
        if (is_all) {
            const std::set<Key> still(due.begin(), due.end());
            aside_.keep([&](const Key& key) { return still.contains(key); });
        }
        std::vector<Key> fresh;
        for (const Key& key : due) {
            if (!in_flight_.contains(key) && !aside_.is_resting(key, now)) fresh.push_back(key);
        }
        prefer_own_share(fresh);
        const std::size_t room = kKeysMax - in_flight_.size();
        if (fresh.size() > room)
            fresh.erase(fresh.begin() + static_cast<std::ptrdiff_t>(room), fresh.end());
        in_flight_.insert(fresh.begin(), fresh.end());
        return fresh;
    }

    // Many that are due at once are seen by all replicas at once: each begins with some others.
    void prefer_own_share(std::vector<Key>& fresh) const {
        if (!source_.preference || fresh.size() <= kShareLeast) return;
        std::ranges::sort(fresh, {}, source_.preference);
        const std::size_t share = std::max(kShareLeast, fresh.size() / 4);
        fresh.erase(fresh.begin() + static_cast<std::ptrdiff_t>(share), fresh.end());
    }

    // Half of them done, or all: time to look for more.
    void end_one(const Key& key, const Status& status) {
        int failures = 0;
        bool is_time = false;
        {
            const MutexLock lock(mutex_);
            in_flight_.erase(key);
            if (status) {
                aside_.remove(key);
            } else {
                failures = aside_.add(key, status.error(), clock_.now());
            }
            ended_ += 1;
            is_time = in_flight_.empty() || ended_ >= kKeysMax / 2;
            if (is_time) ended_ = 0;
        }
        if (!status && notes_.set_aside) notes_.set_aside(key, status.error(), failures);
        if (is_time) wake_();
    }

    std::optional<Instant> remember(std::optional<Instant> next, Instant now) {
        if (sleep_max_) next = std::min(next.value_or(now + *sleep_max_), now + *sleep_max_);
        const MutexLock lock(mutex_);
        if (const std::optional<Instant> again = aside_.next_at(now)) {
            next = std::min(next.value_or(*again), *again);
        }
        if (next && (!next_at_ || *next < *next_at_)) next_at_ = next;
        return next_at_;
    }

    Source source_;
    const Clock& clock_;
    const std::optional<Duration> sleep_max_;
    std::function<void()> wake_;
    const Notes notes_;

    Mutex mutex_;
    std::optional<Instant> next_at_ MILLRACE_GUARDED_BY(mutex_);
    std::set<Key> in_flight_ MILLRACE_GUARDED_BY(mutex_);
    SetAside<Key> aside_ MILLRACE_GUARDED_BY(mutex_);
    std::size_t ended_ MILLRACE_GUARDED_BY(mutex_) = 0;
};

}  // namespace millrace
