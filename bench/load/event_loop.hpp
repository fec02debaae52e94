#pragma once

#include <chrono>
#include <functional>

namespace millrace::bench {

using Clock = std::chrono::steady_clock;

// One thread waits for all connections, so that the driver leaves the cores to the server.
class EventLoop {
public:
    using OnReadable = std::function<void()>;

    EventLoop();
    ~EventLoop();
    EventLoop(const EventLoop&) = delete;
    EventLoop& operator=(const EventLoop&) = delete;

    // `on_readable` stays where it is until `forget`.
    void watch(int descriptor, OnReadable& on_readable);
    void forget(int descriptor);

    void run_until(Clock::time_point deadline) {
        run_until(deadline, [] { return false; });
    }
    // Whether `is_done` came before the deadline.
    bool run_until(Clock::time_point deadline, const std::function<bool()>& is_done);

private:
    int epoll_ = -1;
};

}  // namespace millrace::bench
