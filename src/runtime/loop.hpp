#pragma once

#include <condition_variable>
#include <functional>
#include <mutex>
#include <optional>
#include <string>

#include "base/time.hpp"

namespace millrace::runtime {

// One loop of a passive object: a function that is to be called again and again, and whether
// somebody has asked for a call. It has no thread: LoopThread gives it one, a simulator calls it.
class Loop {
public:
    struct Next {
        bool at_once = false;
        std::optional<Duration> after{};  // Empty: only when woken.
        // After a failure: the time is over before anybody's wake-up counts. A loop that is to end
        // makes it short.
        bool is_pause = false;
    };

    Loop(std::string name, std::function<Next()> run_once)
        : name_(std::move(name)), run_once_(std::move(run_once)) {}

    Loop(const Loop&) = delete;
    Loop& operator=(const Loop&) = delete;

    const std::string& name() const { return name_; }
    // From its end to the next call the loop is idle, unless it asks for that call.
    Next run_once();

    // Asks for one more call, now. Cheap when the loop runs anyway. Any thread, also before anybody
    // runs it.
    void wake();
    // The same for a loop that has nothing to do; false when it is busy, or has ended.
    bool wake_if_idle();

    // For those who run it. Whether somebody has asked for a call since one was taken.
    bool is_woken() const;
    bool take_wake();
    // Waits for as long as `next` says. False when the loop is to end.
    bool sleep(const Next& next);
    // Ends the loop after the call under way.
    void stop();
    // Ends the loop as soon as it has nothing to do.
    void finish();

private:
    void set_idle(bool is_idle);

    const std::string name_;
    const std::function<Next()> run_once_;
    mutable std::mutex mutex_;
    std::condition_variable woken_;
    bool is_idle_ = false;
    bool is_woken_ = false;
    bool is_stopped_ = false;
    bool is_finishing_ = false;
};

}  // namespace millrace::runtime
