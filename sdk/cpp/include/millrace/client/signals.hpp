#pragma once

#include <memory>
#include <stop_token>

namespace millrace::client {

// Turns SIGTERM and SIGINT into a request to stop. Made first in main(), before any other thread:
// it holds the signals back in this thread and in all that it starts. A second signal ends the
// program at once. One at a time.
class StopSignals {
public:
    StopSignals();
    ~StopSignals();
    StopSignals(const StopSignals&) = delete;
    StopSignals& operator=(const StopSignals&) = delete;

    std::stop_token token() const;

private:
    class Waiter;
    std::unique_ptr<Waiter> waiter_;
};

}  // namespace millrace::client
