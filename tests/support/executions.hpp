#pragma once

#include "core/queue/rank.hpp"
#include "core/queue/transitions.hpp"
#include "support/jobs.hpp"

namespace millrace {

inline constexpr std::int64_t kClaimToken = 1;
inline const std::string kOwner = "replica-1";

inline ExecutionKey execution_key(std::uint64_t number, const std::string& workspace = "default") {
    return {ExecutionId{Id128::for_instance(kNoon, number)}, WorkspaceId{workspace}};
}

inline Execution waiting_execution(std::uint64_t number = 1,
                                   const std::string& workspace = "default") {
    return {
        .key = execution_key(number, workspace),
        .definition = {.row_id = 1, .id = "order", .version = 1},
        .rank_at = rank_at(kNoon, 0),
        .created_at = kNoon,
    };
}

// One that runs elsewhere, as it comes to that state in the shortest way. Claimed at noon.
inline Execution execution_in(QueueStatus status) {
    Execution execution = waiting_execution();
    execution.executor = ExecutorKind::temporal;
    execution.target = "main";
    if (status == QueueStatus::pending) return execution;
    execution = claim(std::move(execution), kOwner, kNoon + kLease, kNoon);
    if (status == QueueStatus::claimed) return execution;
    execution = *dispatched(std::move(execution), kClaimToken, "run-1", kNoon + kLease, kNoon);
    if (status == QueueStatus::dispatched) return execution;
    const ExecutionEnd end{
        .key = execution.key,
        .queue_status = status,
        .reason = status == QueueStatus::failed ? std::string(failure::kWorkflowFailed) : "",
        .at = kNoon,
    };
    return *ended(std::move(execution), end);
}

}  // namespace millrace
