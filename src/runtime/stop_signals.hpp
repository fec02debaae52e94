#pragma once

#include <chrono>
#include <functional>
#include <optional>

#include "runtime/thread.hpp"

namespace millrace::runtime {

// Calls back, on a thread of its own, for each SIGTERM and SIGINT, but not for those that follow
// the first within kEcho: one who asks once may be heard twice. Made before any other thread, so
// that all inherit the blocked signals and none is interrupted; children get them unblocked only if
// whoever starts them does that.
class StopSignals {
public:
    using Now = std::function<std::chrono::steady_clock::time_point()>;

    // `timeout` signals its child and then the child's group; a terminal and a supervisor above us
    // may both pass on what they got. Nobody changes his mind that fast.
    static constexpr std::chrono::milliseconds kEcho{500};

    explicit StopSignals(std::function<void(int signal)> callback,
                         Now now = std::chrono::steady_clock::now);
    ~StopSignals();

    StopSignals(const StopSignals&) = delete;
    StopSignals& operator=(const StopSignals&) = delete;

private:
    void run();
    void hear(int signal);

    std::function<void(int signal)> callback_;
    Now now_;
    std::optional<std::chrono::steady_clock::time_point> first_at_;
    int signals_ = -1;
    int end_ = -1;
    Thread thread_;
};

}  // namespace millrace::runtime
