#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/mutex.hpp"
#include "millrace/client/client.hpp"

namespace millrace::client {

// Knows the leases of running handlers and extends each after a third of its duration. A refusal
// means that the job is no longer ours: it is forgotten, and the server will refuse the outcome.
// Safe to use from many threads; a thread of the worker calls extend_due when next_due has come.
class LeaseKeeper {
public:
    using TimePoint = std::chrono::steady_clock::time_point;
    using Extend = std::function<Status(const JobClaim&)>;

    LeaseKeeper(std::chrono::seconds lease_duration, Extend extend);

    void add(JobClaim claim, TimePoint claimed_at);
    void remove(const std::string& job_id);

    std::optional<TimePoint> next_due() const;
    void extend_due(TimePoint now);

private:
    struct Lease {
        JobClaim claim{};
        TimePoint due_at{};
    };

    std::vector<JobClaim> due_claims(TimePoint now) const;
    void note(const JobClaim& claim, const Status& status, TimePoint now);

    const std::chrono::nanoseconds interval_;
    const Extend extend_;
    mutable Mutex mutex_;
    std::map<std::string, Lease> leases_ MILLRACE_GUARDED_BY(mutex_);
};

}  // namespace millrace::client
