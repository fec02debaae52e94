#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <optional>
#include <string_view>
#include <vector>

#include "base/clock.hpp"
#include "base/mutex.hpp"
#include "base/round.hpp"
#include "store/cluster.hpp"

namespace millrace {

// This replica's place among its equals: says every kBeat that it lives, learns who else does, and
// holds the lease of the duties that one replica does for all, or waits for it. A holder that is
// killed is followed within kLeaseDuration and a beat, one that leaves within a beat.
//
// run_once and leave are for one thread, the rest for any.
class ClusterMember {
public:
    static constexpr Duration kBeat = std::chrono::seconds{3};
    static constexpr Duration kFresh = std::chrono::seconds{10};
    static constexpr Duration kLeaseDuration = std::chrono::seconds{10};
    static constexpr std::string_view kDuty = "cluster";

    // Called from run_once, without locks held.
    struct Listener {
        std::function<void(const Replica&)> came{};  // Never about this replica itself.
        std::function<void(const Replica&)> gone{};
        std::function<void()> lease_changed{};
    };

    ClusterMember(Cluster& cluster, Replica self, const Clock& clock, Listener listener)
        : cluster_(cluster),
          self_(std::move(self)),
          clock_(clock),
          listener_(std::move(listener)) {}

    Round run_once();

    // The others learn of it with their next beat. After this the lease is another's.
    void leave();

    // Makes the next run_once a beat. Any thread.
    void hasten() { is_hastened_ = true; }

    // Empty while another replica holds it, or while it is not known who does.
    std::optional<DutyLease> lease() const;

    // This one included.
    std::vector<Replica> replicas() const;

private:
    Status beat(Instant now);
    void tell_of_changes(const std::vector<Replica>& before, const std::vector<Replica>& after);
    void set_lease(std::optional<DutyLease> lease, Instant lease_until);

    Cluster& cluster_;
    const Replica self_;
    const Clock& clock_;
    const Listener listener_;
    Instant next_at_{};
    std::atomic<bool> is_hastened_ = false;

    mutable Mutex mutex_;
    std::vector<Replica> replicas_ MILLRACE_GUARDED_BY(mutex_);
    std::optional<DutyLease> lease_ MILLRACE_GUARDED_BY(mutex_);
    Instant lease_until_ MILLRACE_GUARDED_BY(mutex_){};
    // Since it was last set, somebody has asked for it in vain.
    mutable bool was_missed_ MILLRACE_GUARDED_BY(mutex_) = false;
};

}  // namespace millrace
