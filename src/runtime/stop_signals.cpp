#include "runtime/stop_signals.hpp"

#include <pthread.h>
#include <signal.h>
#include <sys/eventfd.h>
#include <sys/poll.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <array>
#include <cstdint>

#include "base/check.hpp"

namespace millrace::runtime {

StopSignals::StopSignals(std::function<void(int signal)> callback, Now now)
    : callback_(std::move(callback)), now_(std::move(now)) {
    // A log whose reader has gone is no reason to end.
    MILLRACE_CHECK(::signal(SIGPIPE, SIG_IGN) != SIG_ERR);
    sigset_t wanted{};
    sigemptyset(&wanted);
    sigaddset(&wanted, SIGTERM);
    sigaddset(&wanted, SIGINT);
    MILLRACE_CHECK(pthread_sigmask(SIG_BLOCK, &wanted, nullptr) == 0);
    signals_ = signalfd(-1, &wanted, SFD_CLOEXEC);
    end_ = eventfd(0, EFD_CLOEXEC);
    MILLRACE_CHECK(signals_ >= 0 && end_ >= 0);
    thread_ = Thread("signals", [this] { run(); });
}

StopSignals::~StopSignals() {
    const std::uint64_t one = 1;
    MILLRACE_CHECK(write(end_, &one, sizeof(one)) == sizeof(one));
    thread_.join();
    close(end_);
    close(signals_);
}

void StopSignals::run() {
    std::array<pollfd, 2> waits{pollfd{signals_, POLLIN, 0}, pollfd{end_, POLLIN, 0}};
    for (;;) {
        if (poll(waits.data(), waits.size(), -1) < 0) continue;
        if (waits[1].revents != 0) return;
        signalfd_siginfo info{};
        if (read(signals_, &info, sizeof(info)) != sizeof(info)) continue;
        hear(static_cast<int>(info.ssi_signo));
    }
}

void StopSignals::hear(int signal) {
    const auto heard_at = now_();
    if (!first_at_) {
        first_at_ = heard_at;
    } else if (heard_at - *first_at_ < kEcho) {
        return;
    }
    callback_(signal);
}

}  // namespace millrace::runtime
