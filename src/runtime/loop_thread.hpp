#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <optional>
#include <string_view>

#include "base/time.hpp"
#include "runtime/thread.hpp"

namespace millrace::runtime {

// Calls a passive object's run_once again and again on a thread of its own: at once while it makes
// progress, else when somebody wakes it or its time has come.
class LoopThread {
public:
    struct Next {
        bool at_once = false;
        std::optional<Duration> after{};  // Empty: only when woken.
    };

    LoopThread(std::string_view name, std::function<Next()> run_once);
    ~LoopThread();

    LoopThread(const LoopThread&) = delete;
    LoopThread& operator=(const LoopThread&) = delete;

    // Makes the loop run once more, now. Cheap when it runs anyway. Any thread.
    void wake();

    // Ends the loop after the call under way and waits for that.
    void stop();

private:
    void run();
    bool sleep(const Next& next);

    std::function<Next()> run_once_;
    std::mutex mutex_;
    std::condition_variable woken_;
    bool is_woken_ = false;
    bool is_stopped_ = false;
    Thread thread_;
};

}  // namespace millrace::runtime
