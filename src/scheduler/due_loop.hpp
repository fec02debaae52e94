#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/clock.hpp"
#include "base/mutex.hpp"
#include "base/result.hpp"
#include "base/round.hpp"
#include "scheduler/set_aside.hpp"
#include "store/due.hpp"

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
// A row that fails is set aside for a while and read past: it delays no other row. Nor do many rows
// of one tenant delay those of others: it has half of what is under way at most, and the loop looks
// further for somebody else's. Where many are set aside, a look goes on after them; from time to
// time one begins with the oldest again, for those that have rested and those that came late.
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
        // Whose it is; by default the workspace that the key names.
        std::function<std::string(const Key&)> tenant{&DueLoop::workspace_of};
        // Those that are due after one, with their times; instead of `due`, where the store can.
        std::function<Result<std::vector<Due<Key>>>(
            Instant now, const std::optional<Due<Key>>& after, std::int32_t count_max)>
            due_after{};
    };

    static std::string workspace_of(const Key& key) {
        if constexpr (requires { key.workspace_id.value; }) return key.workspace_id.value;
        return {};
    }

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
            if (place_ && due_at <= place_->at) place_ = Due<Key>{.at = due_at};
            if (next_at_ && *next_at_ <= due_at) return;
            next_at_ = due_at;
        }
        wake_();
    }

    Round run_once() {
        const Instant now = clock_.now();
        Portion portion;
        {
            const MutexLock lock(mutex_);
            if (in_flight_.size() >= kKeysMax) return {.next_at = now + kPatience};
            // From here on, note() is about work that the reads below may have missed.
            next_at_.reset();
            begin_portion(portion, now);
        }
        if (const Status read = read_portion(portion, now); !read) return {.unhealthy = true};
        if (const Status told = tell_overdue(portion, now); !told) return {.unhealthy = true};
        const Chosen chosen = choose(portion, now);
        for (const Key& key : chosen.keys) {
            source_.submit(key, [this, key](const Status& status) { end_one(key, status); });
        }
        if (!portion.is_last) {
            const bool goes_on = chosen.is_all || widen(chosen.keys.size());
            return {.next_at = goes_on ? now : now + kPatience};
        }
        const Result<std::optional<Instant>> next = source_.next(now);
        if (!next) return {.unhealthy = true};
        return {.next_at = remember(*next, now)};
    }

private:
    static constexpr std::size_t kKeysMax = 1'000;     // Under way at once.
    static constexpr std::size_t kWindowMax = 64'000;  // Looked at, for others than the busy one.
    static constexpr std::size_t kShareLeast = 100;
    // How long a loop with work under way waits until it looks for more.
    static constexpr Duration kPatience = std::chrono::seconds{1};

    // How often those that are set aside are looked at again where they are many.
    static constexpr Duration kSweepPause = std::chrono::seconds{5};

    // What one look reads: from the oldest on, or from where the one before has ended.
    struct Portion {
        std::optional<Due<Key>> after{};
        std::size_t count_max = 0;
        std::vector<Due<Key>> rows{};
        bool is_last = false;  // There are no more.
    };
    struct Chosen {
        std::vector<Key> keys{};
        bool is_all = true;  // The others of the portion are under way or rest.
    };

    void begin_portion(Portion& portion, Instant now) MILLRACE_REQUIRES(mutex_) {
        if (is_complete_ && now - swept_at_ >= kSweepPause) place_.reset();
        portion.after = place_;
        portion.count_max = window_ + in_flight_.size();
        if (!source_.due_after) portion.count_max += aside_.size();
        if (place_) return;
        is_sweep_ = true;
        swept_at_ = now;
        seen_.clear();
    }

    Status read_portion(Portion& portion, Instant now) {
        const auto count_max = static_cast<std::int32_t>(portion.count_max);
        if (source_.due_after) {
            Result<std::vector<Due<Key>>> rows = source_.due_after(now, portion.after, count_max);
            if (!rows) return rows.error();
            portion.rows = std::move(*rows);
        } else {
            Result<std::vector<Key>> keys = source_.due(now, count_max);
            if (!keys) return keys.error();
            for (Key& key : *keys) portion.rows.push_back({.key = std::move(key)});
        }
        portion.is_last = portion.rows.size() < portion.count_max;
        return ok();
    }

    Status tell_overdue(const Portion& portion, Instant now) {
        if (!notes_.overdue || portion.after) return ok();
        std::optional<Instant> since;
        if (!portion.rows.empty()) {
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
    Chosen choose(const Portion& portion, Instant now) {
        const MutexLock lock(mutex_);
        forget_gone(portion);
        std::map<std::string, std::vector<Key>> fresh;  // By tenant.
        for (const Due<Key>& row : portion.rows) {
            if (is_known(row.key, now)) continue;
            fresh[source_.tenant(row.key)].push_back(row.key);
        }
        Chosen chosen{.keys = take_turns(fresh, portion.is_last ? kKeysMax : kKeysMax / 2)};
        in_flight_.insert(chosen.keys.begin(), chosen.keys.end());
        chosen.is_all = advance(portion, now);
        if (portion.is_last) window_ = kKeysMax;
        return chosen;
    }

    bool is_known(const Key& key, Instant now) const MILLRACE_REQUIRES(mutex_) {
        return in_flight_.contains(key) || aside_.is_resting(key, now);
    }

    // Those that were set aside and are no longer due, when all that are due have been seen.
    void forget_gone(const Portion& portion) MILLRACE_REQUIRES(mutex_) {
        if (!is_sweep_) return;
        for (const Due<Key>& row : portion.rows) seen_.insert(row.key);
        if (!portion.is_last) return;
        const std::set<Key> seen = std::exchange(seen_, {});
        aside_.keep([&seen](const Key& key) { return seen.contains(key); });
        is_sweep_ = false;
    }

    // Moves on to the first row that has to be seen again. Whether there is none in the portion.
    bool advance(const Portion& portion, Instant now) MILLRACE_REQUIRES(mutex_) {
        const auto left = std::ranges::find_if_not(
            portion.rows,
            [&](const Due<Key>& row) MILLRACE_REQUIRES(mutex_) { return is_known(row.key, now); });
        const bool is_all = left == portion.rows.end();
        is_complete_ = portion.is_last;
        if (!source_.due_after || (is_complete_ && aside_.size() <= kKeysMax)) {
            place_.reset();
            return is_all && static_cast<bool>(source_.due_after);
        }
        // Work that note() has told of meanwhile is before this place.
        const bool is_moved_back = place_ != portion.after;
        if (!is_moved_back && left != portion.rows.begin()) place_ = *std::prev(left);
        return is_all;
    }

    // One of each tenant after the other, until a tenant has its share or there is no more room.
    std::vector<Key> take_turns(std::map<std::string, std::vector<Key>>& fresh,
                                std::size_t share_max) MILLRACE_REQUIRES(mutex_) {
        std::map<std::string, std::size_t> under_way;
        for (const Key& key : in_flight_) under_way[source_.tenant(key)] += 1;
        for (auto& [tenant, keys] : fresh) prefer_own_share(keys);
        const std::size_t room = kKeysMax - in_flight_.size();
        std::vector<Key> chosen;
        bool is_somebody = true;
        for (std::size_t turn = 0; is_somebody && chosen.size() < room; ++turn) {
            is_somebody = false;
            for (const auto& [tenant, keys] : fresh) {
                const bool has_turn = turn < keys.size() && under_way[tenant] < share_max;
                if (!has_turn || chosen.size() == room) continue;
                under_way[tenant] += 1;
                chosen.push_back(keys[turn]);
                is_somebody = true;
            }
        }
        return chosen;
    }

    // Whether it is worth to look further at once: there is room, and those that were seen do not
    // fill it.
    bool widen(std::size_t chosen) {
        const MutexLock lock(mutex_);
        const bool has_room = in_flight_.size() < kKeysMax && chosen < kKeysMax;
        if (!has_room || window_ >= kWindowMax) return false;
        window_ = std::min(window_ * 4, kWindowMax);
        return true;
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
        const std::optional<Instant> again =
            place_ ? std::optional(swept_at_ + kSweepPause) : aside_.next_at(now);
        if (again) next = std::min(next.value_or(*again), *again);
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
    std::size_t window_ MILLRACE_GUARDED_BY(mutex_) = kKeysMax;  // Of rows that nobody has in hand.
    // All rows up to this one are under way or set aside; empty when the next look begins with the
    // oldest.
    std::optional<Due<Key>> place_ MILLRACE_GUARDED_BY(mutex_);
    bool is_complete_ MILLRACE_GUARDED_BY(mutex_) = false;  // There were no more after it.
    Instant swept_at_ MILLRACE_GUARDED_BY(mutex_){};        // When a look began with the oldest,
    bool is_sweep_ MILLRACE_GUARDED_BY(mutex_) = false;     // and whether it has not ended yet.
    std::set<Key> seen_ MILLRACE_GUARDED_BY(mutex_);        // By it.
};

}  // namespace millrace
