#pragma once

#include "core/queue/rank.hpp"
#include "core/queue/transitions.hpp"
#include "store/effects.hpp"
#include "support/instances.hpp"

namespace millrace {

inline const std::string kReplica = "replica-1";

// Execution n; instance_key(n) is its instance.
inline ExecutionKey execution_key(std::uint64_t n, const WorkspaceId& workspace = kWorkspace) {
    return {.id = execution_of(instance_key(n).id), .workspace_id = workspace};
}

// Came n seconds after noon.
inline Execution pending_execution(std::uint64_t n, const WorkspaceId& workspace = kWorkspace) {
    const Instant created_at = kNoon + static_cast<std::int64_t>(n) * 1s;
    return {
        .key = execution_key(n, workspace),
        .definition = {.row_id = 7, .id = "order", .version = 1},
        .rank_at = rank_at(created_at, 0),
        .created_at = created_at,
    };
}

// With a slot, since a minute after it came.
inline Execution claimed_execution(std::uint64_t n, const WorkspaceId& workspace = kWorkspace) {
    const Execution pending = pending_execution(n, workspace);
    const Instant now = pending.created_at + 1min;
    return claim(pending, kReplica, now + kLease, now);
}

inline Execution dispatched_execution(std::uint64_t n, const WorkspaceId& workspace = kWorkspace) {
    const Execution claimed = claimed_execution(n, workspace);
    return *dispatched(claimed, claimed.claim.token, "run-1", std::nullopt,
                       *claimed.claimed_at + 1s);
}

// Ended two minutes after it came.
inline Execution failed_execution(std::uint64_t n, std::string_view reason = failure::kStartFailed,
                                  std::string message = "Nobody is there.") {
    const Execution claimed = claimed_execution(n);
    return failed(claimed, reason, std::move(message), claimed.created_at + 2min);
}

// In any state that the status names.
inline Execution execution_in(QueueStatus status, std::uint64_t n = 1) {
    switch (status) {
        case QueueStatus::pending: return pending_execution(n);
        case QueueStatus::claimed: return claimed_execution(n);
        case QueueStatus::dispatched: return dispatched_execution(n);
        case QueueStatus::completed:
        case QueueStatus::failed:
        case QueueStatus::cancelled: break;
    }
    const Execution running = dispatched_execution(n);
    return *ended(running, {.key = running.key,
                            .queue_status = status,
                            .reason = status == QueueStatus::failed ? "WORKFLOW_FAILED" : "",
                            .at = running.created_at + 2min});
}

inline NewExecution enqueued(Execution execution) {
    const std::string id = to_string(execution.key.id.value);
    return {.execution = std::move(execution),
            .input = Variables::from_text(R"({"from":")" + id + R"("})")};
}

inline Workspace workspace_named(const std::string& id) {
    return {.id = {id},
            .name = "The workspace " + id,
            .plan = "PRO",
            .created_at = kNoon,
            .changed_at = kNoon};
}

}  // namespace millrace
