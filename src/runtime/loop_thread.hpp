#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <optional>
#include <string>

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
        // After a failure: the time is over before anybody's wake-up counts, unless the loop is to
        // end.
        bool is_pause = false;
    };

    LoopThread(std::string name, std::function<Next()> run_once);
    ~LoopThread();

    LoopThread(const LoopThread&) = delete;
    LoopThread& operator=(const LoopThread&) = delete;

    void start();

    // Makes the loop run once more, now. Cheap when it runs anyway. Any thread, also before start.
    void wake();
    // The same for a loop that has nothing to do; false when it is busy.
    bool wake_if_idle();

    // Ends the loop after the call under way and waits for that.
    void stop();
    // Ends the loop as soon as it has nothing to do, and waits for that.
    void finish();

private:
    void run();
    bool sleep(const Next& next);

    const std::string name_;
    std::function<Next()> run_once_;
    std::mutex mutex_;
    std::condition_variable woken_;
    bool is_idle_ = false;
    bool is_woken_ = false;
    bool is_stopped_ = false;
    bool is_finishing_ = false;
    Thread thread_;
};

}  // namespace millrace::runtime
