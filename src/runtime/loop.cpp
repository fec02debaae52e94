#include "runtime/loop.hpp"

#include <algorithm>
#include <chrono>
#include <utility>

namespace millrace::runtime {

namespace {

// Of a loop that is to end: somebody waits for its last answers, and a store that is away is not
// asked thousands of times a second.
constexpr Duration kFinishingPause = std::chrono::milliseconds{100};

}  // namespace

Loop::Next Loop::run_once() {
    set_idle(false);
    const Next next = run_once_();
    set_idle(!next.at_once && !next.is_pause);
    return next;
}

void Loop::set_idle(bool is_idle) {
    const std::lock_guard lock(mutex_);
    is_idle_ = is_idle;
}

void Loop::wake() {
    {
        const std::lock_guard lock(mutex_);
        if (is_woken_) return;
        is_woken_ = true;
    }
    woken_.notify_one();
}

bool Loop::wake_if_idle() {
    {
        const std::lock_guard lock(mutex_);
        if (!is_idle_ || is_woken_ || is_stopped_) return false;
        is_woken_ = true;
    }
    woken_.notify_one();
    return true;
}

bool Loop::is_woken() const {
    const std::lock_guard lock(mutex_);
    return is_woken_;
}

bool Loop::take_wake() {
    const std::lock_guard lock(mutex_);
    return std::exchange(is_woken_, false);
}

void Loop::stop() {
    {
        const std::lock_guard lock(mutex_);
        is_stopped_ = true;
    }
    woken_.notify_one();
}

void Loop::finish() {
    {
        const std::lock_guard lock(mutex_);
        is_finishing_ = true;
        is_woken_ = true;
    }
    woken_.notify_one();
}

bool Loop::sleep(const Next& next) {
    std::unique_lock lock(mutex_);
    const bool is_idle = !next.at_once && !next.after;
    if (is_finishing_ && is_idle && !is_woken_) {
        is_stopped_ = true;
        return false;
    }
    const auto is_due = [this] {
        return is_woken_ || is_stopped_;
    };
    const auto is_ending = [this, was_finishing = is_finishing_] {
        return is_stopped_ || (is_finishing_ && !was_finishing);
    };
    if (next.is_pause) {
        const Duration pause = is_finishing_ ? std::min(*next.after, kFinishingPause) : *next.after;
        woken_.wait_for(lock, pause, is_ending);
    } else if (is_idle) {
        woken_.wait(lock, is_due);
    } else if (next.after) {
        woken_.wait_for(lock, *next.after, is_due);
    }
    is_idle_ = false;
    is_woken_ = false;
    return !is_stopped_;
}

}  // namespace millrace::runtime
