#include "runtime/loop_thread.hpp"

namespace millrace::runtime {

LoopThread::LoopThread(std::string name, std::function<Next()> run_once)
    : name_(std::move(name)), run_once_(std::move(run_once)) {}

LoopThread::~LoopThread() {
    stop();
}

void LoopThread::start() {
    thread_ = Thread(name_, [this] { run(); });
}

void LoopThread::wake() {
    {
        const std::lock_guard lock(mutex_);
        if (is_woken_) return;
        is_woken_ = true;
    }
    woken_.notify_one();
}

bool LoopThread::wake_if_idle() {
    {
        const std::lock_guard lock(mutex_);
        if (!is_idle_ || is_woken_) return false;
        is_woken_ = true;
    }
    woken_.notify_one();
    return true;
}

void LoopThread::stop() {
    {
        const std::lock_guard lock(mutex_);
        is_stopped_ = true;
    }
    woken_.notify_one();
    if (thread_.joinable()) thread_.join();
}

void LoopThread::finish() {
    {
        const std::lock_guard lock(mutex_);
        is_finishing_ = true;
        is_woken_ = true;
    }
    woken_.notify_one();
    if (thread_.joinable()) thread_.join();
}

void LoopThread::run() {
    Next next{.at_once = true};
    while (sleep(next)) next = run_once_();
}

// False when the loop is to end.
bool LoopThread::sleep(const Next& next) {
    std::unique_lock lock(mutex_);
    const bool is_idle = !next.at_once && !next.after;
    if (is_finishing_ && is_idle && !is_woken_) return false;
    is_idle_ = !next.at_once && !next.is_pause;
    const auto is_due = [this] {
        return is_woken_ || is_stopped_;
    };
    const auto is_ending = [this] {
        return is_finishing_ || is_stopped_;
    };
    if (next.is_pause) {
        woken_.wait_for(lock, *next.after, is_ending);
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
