#include "runtime/loop_thread.hpp"

namespace millrace::runtime {

LoopThread::LoopThread(std::string_view name, std::function<Next()> run_once)
    : run_once_(std::move(run_once)), thread_(name, [this] { run(); }) {}

LoopThread::~LoopThread() {
    stop();
}

void LoopThread::wake() {
    {
        const std::lock_guard lock(mutex_);
        if (is_woken_) return;
        is_woken_ = true;
    }
    woken_.notify_one();
}

void LoopThread::stop() {
    {
        const std::lock_guard lock(mutex_);
        is_stopped_ = true;
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
    const auto is_due = [this] {
        return is_woken_ || is_stopped_;
    };
    if (!next.at_once && next.after) {
        woken_.wait_for(lock, *next.after, is_due);
    } else if (!next.at_once) {
        woken_.wait(lock, is_due);
    }
    is_woken_ = false;
    return !is_stopped_;
}

}  // namespace millrace::runtime
