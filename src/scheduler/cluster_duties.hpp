#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/round.hpp"
#include "store/cluster.hpp"

namespace millrace {

// Whether this process may do what one replica does for all. Thread-safe if its source is.
class DutyRight {
public:
    using LeaseSource = std::function<std::optional<DutyLease>()>;

    // For a process that has its store to itself: always.
    DutyRight() = default;
    // For one among equals: while it has the lease.
    explicit DutyRight(LeaseSource lease) : lease_(std::move(lease)) {}

    bool is_here() const { return !lease_ || lease_().has_value(); }

    // What a duty states in its own transaction (check_duty_lease.sql). Empty where no lease is
    // needed; among equals also when it was lost a moment ago, and then nothing may be done.
    std::optional<DutyLease> lease() const { return lease_ ? lease_() : std::nullopt; }
    bool needs_lease() const { return static_cast<bool>(lease_); }

private:
    LeaseSource lease_{};
};

// The duties that one replica does for all: each has its turn while the right to them is here.
class ClusterDuties {
public:
    using RunOnce = std::function<Round()>;

    explicit ClusterDuties(DutyRight right) : right_(std::move(right)) {}

    // Before the first run_once. A duty knows itself when it has something to do; its calls are
    // short, so that the others have their turn.
    void add(std::string name, RunOnce run_once);

    // Each duty once; none while the right is elsewhere.
    Round run_once();

    // Which duty the store failed in the latest round; empty when none.
    const std::string& failed() const { return failed_; }

    // For duties that write by themselves.
    const DutyRight& right() const { return right_; }

private:
    struct Duty {
        std::string name{};
        RunOnce run_once{};
    };

    const DutyRight right_;
    std::vector<Duty> duties_;
    std::string failed_;
};

}  // namespace millrace
