#pragma once

#include <atomic>
#include <optional>
#include <stop_token>
#include <string_view>

namespace millrace::client {

// Why a handler shall end before it is done.
enum class StopCause {
    lease_lost,          // Another worker has the job, or will: nothing is reported.
    instance_cancelled,  // Nobody waits for the outcome any more: nothing is reported.
    timeout,             // The step's time is up: nothing is reported.
    draining,            // The worker stops. A success still counts; else the job is released.
};

// LeaseLost, InstanceCancelled, Timeout or Draining.
std::string_view name_of(StopCause cause);

// What a handler knows about its run. It ends at most once, and a handler that looks at the token
// need do nothing else: leases are extended by the worker itself.
class JobContext {
public:
    JobContext(const JobContext&) = delete;
    JobContext& operator=(const JobContext&) = delete;

    std::stop_token stop_token() const { return source_.get_token(); }
    bool is_stopped() const { return source_.stop_requested(); }
    // Null while it goes on.
    std::optional<StopCause> cause() const;

protected:
    JobContext() = default;
    ~JobContext() = default;

    // The first cause counts.
    void end(StopCause cause);

private:
    static constexpr int kGoingOn = -1;

    std::atomic<int> cause_ = kGoingOn;
    std::stop_source source_{};
};

}  // namespace millrace::client
