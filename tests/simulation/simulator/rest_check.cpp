#include <algorithm>
#include <chrono>

#include "simulator/comparison.hpp"

namespace millrace::sim {

namespace {

using namespace std::chrono_literals;

// What falls due is not done in the same moment.
constexpr Duration kPatience = 60s;

class RestCheck {
public:
    RestCheck(const Ledger& ledger, Reader& reader, Instant now, const Plans& plans,
              Findings& findings)
        : rows_(ledger.rows()),
          ledger_(ledger),
          reader_(reader),
          late_(now - kPatience),
          plans_(plans),
          findings_(findings) {}

    void check() {
        expect_none(reader_.due_timers(late_, 1), "a timer is overdue");
        expect_none(reader_.expired_leases(late_, 1), "a lease has run out, and nobody minds");
        expect_none(reader_.due_executions(late_, 1), "an execution is overdue");
        expect_none(reader_.unattended_executions(Unattended::claims_and_runs, late_, 1),
                    "nobody looks at an execution");
        for (const auto& [key, instance] : rows_.instances) check_instance(instance);
        for (const auto& entry : rows_.workspaces) check_line(entry.second);
        check_orphans();
    }

private:
    template <class Keys>
    void expect_none(const Result<Keys>& found, const std::string& sentence) {
        if (!found) return findings_.add("the store cannot be read: " + found.error().detail);
        if (!found->empty()) {
            findings_.add(sentence + ": " + to_string(found->front().id.value) + " of " +
                          found->front().workspace_id.value);
        }
    }

    // One that is not over waits for a person or for a time; or somebody has suspended it.
    void check_instance(const Instance& instance) {
        if (is_terminal(instance.status) || instance.state.is_suspended) return;
        bool waits = false;
        for (const OpenStep& step : instance.state.open_steps) {
            waits = waits || step.type == StepType::user_task || step.type == StepType::wait ||
                    !step.timers.empty();
        }
        for_each_of(rows_.jobs, instance.key, [&](const Job& job) {
            waits = waits || (is_kept_back(job) && job.lease->lock_expires_at > late_);
        });
        if (!waits) findings_.add(named(instance.key) + " is stuck");
    }

    // Nothing stands in line where there is room.
    void check_line(const Workspace& workspace) {
        const WorkspaceLimits limits = limits_of(workspace, plans_);
        const bool is_full =
            limits.max_active && ledger_.active_in(workspace.id) >= *limits.max_active;
        const bool has_no_rate = limits.rate_per_second && *limits.rate_per_second <= 0;
        if (is_full || has_no_rate || limits.max_per_key == 0) return;
        const auto queue = reader_.queue(workspace.id);
        if (!queue || !*queue) return findings_.add("there is no line of " + workspace.id.value);
        const QueueCounts& counts = (*queue)->counts;
        const bool is_late = counts.oldest_waiting && *counts.oldest_waiting < late_;
        if (counts.ready > 0 && is_late && !is_slow(limits)) {
            findings_.add("an execution of " + workspace.id.value +
                          " stands in line although there is room");
        }
        if (counts.parked > 0) check_parked(workspace, limits);
    }

    // So few a second that the line may be long for a long time.
    static bool is_slow(const WorkspaceLimits& limits) {
        return limits.rate_per_second && *limits.rate_per_second < 1;
    }

    void check_parked(const Workspace& workspace, const WorkspaceLimits& limits) {
        for (const auto& [key, execution] : rows_.executions) {
            const bool is_parked = key.workspace_id == workspace.id &&
                                   execution.queue_status == QueueStatus::pending &&
                                   execution.place == QueuePlace::parked;
            if (!is_parked || execution.created_at > late_ || is_slow(limits)) continue;
            if (ledger_.active_of(workspace.id, execution.concurrency_key) < limits.max_per_key) {
                findings_.add(named(key) + " is parked although its key has room");
            }
        }
    }

    void check_orphans() {
        for (const auto& [key, execution] : rows_.executions) {
            const bool is_waiting = execution.queue_status == QueueStatus::pending;
            if (is_waiting && execution.created_at < late_ && execution.place != QueuePlace::due &&
                !rows_.workspaces.contains(key.workspace_id)) {
                findings_.add(named(key) + " waits in a workspace that is gone");
            }
        }
    }

    const Ledger::Rows& rows_;
    const Ledger& ledger_;
    Reader& reader_;
    const Instant late_;
    const Plans& plans_;
    Findings& findings_;
};

}  // namespace

void check_at_rest(const Ledger& ledger, Reader& reader, Instant now, const Plans& plans,
                   Findings& findings) {
    RestCheck(ledger, reader, now, plans, findings).check();
}

}  // namespace millrace::sim
