#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <optional>
#include <string>

#include "base/mutex.hpp"
#include "millrace/client/client.hpp"
#include "millrace/client/job_context.hpp"

namespace millrace::client {

// Knows the leases of running handlers, and which of them to extend when: each after a third of its
// duration, and within a third of what is left of it. Several threads extend at once, so that a
// call that nobody answers holds up no other lease. A lease that the server refuses to extend, or
// that has run out, is lost: its owner is told once. Safe to use from many threads.
class LeaseKeeper {
public:
    using TimePoint = std::chrono::steady_clock::time_point;
    using OnLost = std::function<void(StopCause)>;

    struct Extension {
        JobClaim claim{};
        Duration within{};
        TimePoint begun_at{};
    };

    explicit LeaseKeeper(std::chrono::seconds lease_duration);

    void add(JobClaim claim, TimePoint claimed_at, OnLost on_lost);
    void remove(const std::string& job_id);

    // When there is something to do; a lease that is being extended waits for that.
    std::optional<TimePoint> next_due() const;
    // A lease to extend now; note() must follow. Leases that have run out are lost here.
    std::optional<Extension> take_due(TimePoint now);
    void note(const Extension& extension, const Status& status, TimePoint now);

private:
    struct Lease {
        JobClaim claim{};
        TimePoint due_at{};
        TimePoint expires_at{};
        bool is_extending = false;
        OnLost on_lost{};
    };

    std::optional<OnLost> take_expired(TimePoint now);

    const std::chrono::nanoseconds duration_;
    mutable Mutex mutex_;
    std::map<std::string, Lease> leases_ MILLRACE_GUARDED_BY(mutex_);
};

}  // namespace millrace::client
