#include "load/event_loop.hpp"

#include <sys/epoll.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <stdexcept>

namespace millrace::bench {

namespace {

// Rounded up: waking early would spin.
int milliseconds_until(Clock::time_point deadline) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - Clock::now());
    return static_cast<int>(std::clamp<std::int64_t>(left.count(), 0, 60'000));
}

}  // namespace

EventLoop::EventLoop() : epoll_(epoll_create1(EPOLL_CLOEXEC)) {
    if (epoll_ < 0) throw std::runtime_error("there is no epoll");
}

EventLoop::~EventLoop() {
    close(epoll_);
}

void EventLoop::watch(int descriptor, OnReadable& on_readable) {
    epoll_event event{};
    event.events = EPOLLIN;
    event.data.ptr = &on_readable;
    if (epoll_ctl(epoll_, EPOLL_CTL_ADD, descriptor, &event) != 0) {
        throw std::runtime_error("a connection cannot be watched");
    }
}

void EventLoop::forget(int descriptor) {
    epoll_ctl(epoll_, EPOLL_CTL_DEL, descriptor, nullptr);
}

bool EventLoop::run_until(Clock::time_point deadline, const std::function<bool()>& is_done) {
    std::array<epoll_event, 128> events{};
    while (!is_done()) {
        if (Clock::now() >= deadline) return false;
        const int count = epoll_wait(epoll_, events.data(), static_cast<int>(events.size()),
                                     milliseconds_until(deadline));
        if (count < 0 && errno != EINTR) throw std::runtime_error("epoll failed");
        for (int i = 0; i < count; ++i) {
            (*static_cast<OnReadable*>(events[static_cast<std::size_t>(i)].data.ptr))();
        }
    }
    return true;
}

}  // namespace millrace::bench
