#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "base/clock.hpp"
#include "base/mutex.hpp"
#include "base/round.hpp"
#include "store/lock_table.hpp"

namespace millrace {

// A lock by which those who do the same work exclude each other: how long it holds when its holder
// dies, and how long nobody gets it again however short the round was.
struct RoundLock {
    std::string_view name{};
    Duration at_most{};
    Duration at_least{};
};

// Programs with ShedLock know them by these names.
inline constexpr RoundLock kDispatchLock{"processExecutionQueue", std::chrono::minutes{4},
                                         std::chrono::seconds{10}};
inline constexpr RoundLock kRecoveryLock{"recoverStaleQueueItems", std::chrono::minutes{2},
                                         std::chrono::seconds{30}};

// Who wants to know whether the lock could be had. Called by whoever calls run_once.
class LockListener {
public:
    virtual ~LockListener() = default;

    // `has_changed`: the last time it was different, or there was none.
    virtual void on_lock_taken(std::string_view lock, bool has_changed) = 0;
    virtual void on_lock_refused(std::string_view lock, bool has_changed) = 0;
    virtual void on_lock_failed(std::string_view lock, const Error& error) = 0;
};

// Does a work again and again, under a lock: as long after the end of one round as after a lock
// that somebody else had. A round that lasts longer than its lock goes on; another process may
// begin one meanwhile, so what it writes has to be safe without the lock.
//
// Passive: a thread of src/runtime or a test calls run_once, one at a time. Blocks on the store.
class LockedRounds {
public:
    struct Config {
        RoundLock lock{};
        std::string holder{};  // Nobody else has that name.
        Duration interval{};
        Duration first_after{};  // Replicas that start together should not come together.
    };

    // Begins the work; `end` is called once, on any thread, when it is over. An error: it is over
    // already.
    using Work = std::function<Status(std::function<void()> end)>;

    // `wake` is called when run_once should be, on any thread.
    LockedRounds(LockTable& locks, LockListener& listener, const Clock& clock, Config config,
                 Work work, std::function<void()> wake);

    Round run_once();

    // No further rounds, and the lock is given up: whoever comes next need not wait until it ends
    // by itself. While nobody calls run_once.
    void stop();

private:
    enum class Stage { resting, working, over };

    Round begin_round();
    Round end_round();
    Status give_up_lock();
    void note_lock(bool is_ours);
    void work_ended();

    LockTable& locks_;
    LockListener& listener_;
    const Clock& clock_;
    const Config config_;
    const Work work_;
    const std::function<void()> wake_;

    // Whether the lock may be ours: known only to the store after a failure.
    bool may_hold_ = false;
    std::optional<bool> was_ours_{};
    Instant next_at_{};

    Mutex mutex_;
    Stage stage_ MILLRACE_GUARDED_BY(mutex_) = Stage::resting;
    bool is_stopped_ MILLRACE_GUARDED_BY(mutex_) = false;
};

}  // namespace millrace
