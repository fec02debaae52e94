#include <algorithm>
#include <cmath>

#include "simulator/invariants.hpp"

namespace millrace::sim {

namespace {

bool is_let_in(const RowChange<Execution>& change) {
    const bool had_slot = change.before && is_active(change.before->queue_status);
    return change.after != nullptr && is_active(change.after->queue_status) && !had_slot;
}

// Let in and over again by one commit: its run had nothing to wait for.
bool passed_through(const RowChange<Execution>& change) {
    const bool was_waiting = change.before && change.before->queue_status == QueueStatus::pending;
    return was_waiting && change.after != nullptr && !is_open(change.after->queue_status) &&
           change.after->claim.token > change.before->claim.token;
}

// What the workspace allows: as it is, or as it was before this commit, whichever is more.
struct Allowed {
    std::int64_t slots = 0;
    std::int64_t slots_of_key = 0;
};

// Written once more here: a mistake of the engine's own function is not to excuse itself.
Allowed allowed_by(const Workspace& workspace, const Plans& plans) {
    Allowed allowed{1, workspace.max_per_key.value_or(1)};
    const auto plan = plans.find(workspace.plan);
    if (plan != plans.end()) {
        allowed.slots = plan->second.max_active ? *plan->second.max_active : INT64_MAX;
    }
    if (workspace.max_active) allowed.slots = *workspace.max_active;
    if (workspace.is_paused) allowed.slots = 0;
    return allowed;
}

std::optional<double> rate_of(const Workspace& workspace, const Plans& plans) {
    if (workspace.rate_per_second) return workspace.rate_per_second;
    const auto plan = plans.find(workspace.plan);
    return plan == plans.end() ? std::nullopt : plan->second.rate_per_second;
}

bool has_new_rate(const RowChange<Workspace>& change, const Plans& plans) {
    return change.before && change.after != nullptr &&
           rate_of(*change.before, plans) != rate_of(*change.after, plans);
}

Allowed allowed_in(const WorkspaceId& id, const Changes& changes, const Ledger& ledger,
                   const Plans& plans) {
    Allowed allowed;
    const auto add = [&](const Workspace& workspace) {
        const Allowed more = allowed_by(workspace, plans);
        allowed.slots = std::max(allowed.slots, more.slots);
        allowed.slots_of_key = std::max(allowed.slots_of_key, more.slots_of_key);
    };
    if (const Workspace* workspace = ledger.find(id)) add(*workspace);
    for (const RowChange<Workspace>& change : changes.workspaces) {
        if (change.before && change.before->id == id) add(*change.before);
    }
    return allowed;
}

}  // namespace

void check_limits(const Changes& changes, const Ledger& ledger, const Plans& plans,
                  Findings& findings) {
    for (const RowChange<Execution>& change : changes.executions) {
        if (!is_let_in(change)) continue;
        const Execution& execution = *change.after;
        const WorkspaceId& id = execution.key.workspace_id;
        const Allowed allowed = allowed_in(id, changes, ledger, plans);
        const std::int64_t active = ledger.active_in(id);
        if (active > allowed.slots) {
            findings.add("the workspace " + id.value + " has " + std::to_string(active) +
                         " executions with a slot, and may have " + std::to_string(allowed.slots));
        }
        if (execution.concurrency_key.empty()) continue;
        const std::int64_t of_key = ledger.active_of(id, execution.concurrency_key);
        if (of_key > allowed.slots_of_key) {
            findings.add("the key " + execution.concurrency_key + " of " + id.value + " has " +
                         std::to_string(of_key) + " executions with a slot, and may have " +
                         std::to_string(allowed.slots_of_key));
        }
    }
}

void RateWatch::look_at(const Changes& changes, const Ledger& ledger, const Plans& plans,
                        Findings& findings) {
    std::map<WorkspaceId, int> let_in;
    for (const RowChange<Execution>& change : changes.executions) {
        const bool counts = is_let_in(change) || passed_through(change);
        if (counts) let_in[change.after->key.workspace_id] += 1;
    }
    for (const auto& [id, count] : let_in) {
        const Workspace* workspace = ledger.find(id);
        // A round goes by the settings that it has read, before those of the same commit.
        for (const RowChange<Workspace>& change : changes.workspaces) {
            if (change.before && change.before->id == id) workspace = &*change.before;
        }
        const auto rate = workspace == nullptr ? std::nullopt : rate_of(*workspace, plans);
        if (!rate || *rate <= 0) {
            buckets_.erase(id);
            continue;
        }
        const auto line = ledger.rows().lines.find(id);
        const auto decided_at =
            line == ledger.rows().lines.end() ? std::nullopt : line->second.rate.counted_at;
        if (!decided_at || *decided_at > changes.at) {
            findings.add("the workspace " + id.value + " does not count what it lets in");
            return;
        }
        spend(id, count, *rate, *decided_at, findings);
    }
    // What was saved up at another rate may be spent.
    for (const RowChange<Workspace>& change : changes.workspaces) {
        if (has_new_rate(change, plans)) buckets_.erase(change.after->id);
    }
}

// By the times at which it was decided, which are a little older than the commits.
void RateWatch::spend(const WorkspaceId& id, int count, double rate, Instant at,
                      Findings& findings) {
    constexpr double kHair = 1e-3;
    const double burst = std::max(1.0, rate);
    Bucket& bucket = buckets_.try_emplace(id, Bucket{burst, at, rate}).first->second;
    // A clock that was set back by far begins again.
    if (bucket.counted_at - at > std::chrono::minutes{1}) bucket.counted_at = at;
    // After a change of the rate, what it has saved counts by the better one.
    const double best = std::max(rate, bucket.rate);
    const std::chrono::duration<double> passed =
        std::max(at, bucket.counted_at) - bucket.counted_at;
    bucket.tokens = std::min(std::max(1.0, best), bucket.tokens + passed.count() * best) - count;
    bucket.counted_at = std::max(at, bucket.counted_at);
    bucket.rate = rate;
    if (bucket.tokens < -kHair) {
        findings.add("the workspace " + id.value + " lets in more than " + std::to_string(rate) +
                     " a second");
    }
}

}  // namespace millrace::sim
