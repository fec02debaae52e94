#pragma once

#include <functional>

#include "runtime/thread.hpp"

namespace millrace::runtime {

// Calls back, on a thread of its own, for each SIGTERM and SIGINT. Made before any other thread, so
// that all inherit the blocked signals and none is interrupted; children get them unblocked only if
// whoever starts them does that.
class StopSignals {
public:
    explicit StopSignals(std::function<void(int signal)> callback);
    ~StopSignals();

    StopSignals(const StopSignals&) = delete;
    StopSignals& operator=(const StopSignals&) = delete;

private:
    void run() const;

    std::function<void(int signal)> callback_;
    int signals_ = -1;
    int end_ = -1;
    Thread thread_;
};

}  // namespace millrace::runtime
