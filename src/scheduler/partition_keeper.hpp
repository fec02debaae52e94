#pragma once

#include <vector>

#include "base/clock.hpp"
#include "core/retention/retention_rules.hpp"
#include "observe/log.hpp"
#include "observe/metrics.hpp"
#include "scheduler/cluster_duties.hpp"
#include "store/upkeep.hpp"

namespace millrace {

// Sees to it that history and audit have partitions for this month and the next ones, and drops old
// ones that nothing needs any more: a duty of the cluster. Where everything is kept, none is
// dropped nor looked at.
class PartitionKeeper {
public:
    static constexpr Duration kInterval = std::chrono::hours{1};
    static constexpr Duration kPauseAfterFailure = std::chrono::minutes{1};
    static constexpr int kMonthsAhead = 3;
    // How far behind the clock of whoever mints an id may be: its partition must still be there.
    static constexpr Duration kGrace = std::chrono::days{1};

    struct Rules {
        RetentionRules instances{};
        RetentionRules audit{};
    };

    PartitionKeeper(Upkeep& upkeep, Rules rules, DutyRight right, const Clock& clock,
                    observe::Metrics& metrics, observe::Log& log)
        : upkeep_(upkeep),
          rules_(std::move(rules)),
          right_(std::move(right)),
          clock_(clock),
          metrics_(metrics),
          log_(log) {}

    // Does one thing at most, so that other duties have their turn.
    Round run_once();

private:
    enum class Action { create, drop_unused, drop };
    struct Task {
        Action action = Action::create;
        Partition partition{};
    };

    void plan(const std::vector<Partition>& existing, Instant now);
    void plan_missing(PartitionedTable table, const std::vector<Partition>& existing, Instant now);
    void plan_drop(const Partition& partition, Instant now);
    // Whether there is one less or one more of them; false also when it is in use.
    Result<bool> act(const Task& task, const Upkeep::Lease& lease);
    void tell(const Task& task);
    Round rest_until(Instant next_at);

    Upkeep& upkeep_;
    const Rules rules_;
    const DutyRight right_;
    const Clock& clock_;
    observe::Metrics& metrics_;
    observe::Log& log_;

    std::vector<Task> tasks_;  // Of this pass, the next one last.
    Instant next_at_{};
};

}  // namespace millrace
