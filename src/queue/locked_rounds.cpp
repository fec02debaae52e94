#include "queue/locked_rounds.hpp"

#include <utility>

namespace millrace {

LockedRounds::LockedRounds(LockTable& locks, LockListener& listener, const Clock& clock,
                           Config config, Work work, std::function<void()> wake)
    : locks_(locks),
      listener_(listener),
      clock_(clock),
      config_(std::move(config)),
      work_(std::move(work)),
      wake_(std::move(wake)),
      next_at_(clock.now() + config_.first_after) {}

Round LockedRounds::run_once() {
    Stage stage = Stage::resting;
    {
        const MutexLock lock(mutex_);
        if (is_stopped_) return {};
        stage = stage_;
    }
    switch (stage) {
        case Stage::working: return {};
        case Stage::over: return end_round();
        case Stage::resting: break;
    }
    if (clock_.now() < next_at_) return {.next_at = next_at_};
    return begin_round();
}

Round LockedRounds::begin_round() {
    // What was left of a round before, or taken by a call whose answer got lost.
    if (const Status given_up = give_up_lock(); !given_up) return {.unhealthy = true};
    may_hold_ = true;
    const Result<bool> taken = locks_.lock(config_.lock.name, config_.holder, config_.lock.at_most);
    if (!taken) {
        listener_.on_lock_failed(config_.lock.name, taken.error());
        return {.unhealthy = true};
    }
    may_hold_ = *taken;
    note_lock(*taken);
    if (!*taken) {
        next_at_ = clock_.now() + config_.interval;
        return {.next_at = next_at_};
    }
    {
        const MutexLock lock(mutex_);
        stage_ = Stage::working;
    }
    if (work_([this] { work_ended(); })) return {};
    (void)end_round();  // The store is away anyway; what is left is done before the next round.
    return {.unhealthy = true};
}

Round LockedRounds::end_round() {
    {
        const MutexLock lock(mutex_);
        stage_ = Stage::resting;
    }
    next_at_ = clock_.now() + config_.interval;
    if (!give_up_lock()) return {.unhealthy = true};
    return {.next_at = next_at_};
}

Status LockedRounds::give_up_lock() {
    if (!may_hold_) return ok();
    const Status given_up = locks_.unlock(config_.lock.name, config_.holder, config_.lock.at_least);
    if (given_up) may_hold_ = false;
    return given_up;
}

void LockedRounds::note_lock(bool is_ours) {
    const bool has_changed = was_ours_ != is_ours;
    was_ours_ = is_ours;
    is_ours ? listener_.on_lock_taken(config_.lock.name, has_changed)
            : listener_.on_lock_refused(config_.lock.name, has_changed);
}

void LockedRounds::work_ended() {
    {
        const MutexLock lock(mutex_);
        stage_ = Stage::over;
    }
    wake_();
}

void LockedRounds::stop() {
    {
        const MutexLock lock(mutex_);
        is_stopped_ = true;
    }
    (void)give_up_lock();  // Else it ends by itself.
}

}  // namespace millrace
