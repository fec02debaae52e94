#include <signal.h>

#include <atomic>
#include <cstdlib>
#include <thread>

#include "millrace/client/signals.hpp"

namespace millrace::client {
namespace {

constexpr int kExitBySignal = 128;

}  // namespace

class StopSignals::Waiter {
public:
    Waiter() {
        ::sigemptyset(&signals_);
        ::sigaddset(&signals_, SIGTERM);
        ::sigaddset(&signals_, SIGINT);
        ::pthread_sigmask(SIG_BLOCK, &signals_, &before_);
        thread_ = std::thread([this] { wait(); });
    }
    ~Waiter() {
        is_over_ = true;
        ::pthread_kill(thread_.native_handle(), SIGTERM);
        thread_.join();
        ::pthread_sigmask(SIG_SETMASK, &before_, nullptr);
    }
    Waiter(const Waiter&) = delete;
    Waiter& operator=(const Waiter&) = delete;

    std::stop_token token() const { return source_.get_token(); }

private:
    void wait() {
        int received = 0;
        while (!is_over_) {
            if (::sigwait(&signals_, &received) != 0 || is_over_) continue;
            if (!source_.request_stop()) std::_Exit(kExitBySignal + received);
        }
    }

    sigset_t signals_{};
    sigset_t before_{};
    std::atomic<bool> is_over_ = false;
    std::stop_source source_{};
    std::thread thread_{};
};

StopSignals::StopSignals() : waiter_(std::make_unique<Waiter>()) {}

StopSignals::~StopSignals() = default;

std::stop_token StopSignals::token() const {
    return waiter_->token();
}

}  // namespace millrace::client
