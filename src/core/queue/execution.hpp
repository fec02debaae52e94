#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/id.hpp"
#include "base/time.hpp"
#include "core/definition/executor_spec.hpp"
#include "core/instance/instance.hpp"

namespace millrace {

// Sorted by id first: it is the order in which every store locks rows.
struct ExecutionKey {
    ExecutionId id{};
    WorkspaceId workspace_id{};

    friend auto operator<=>(const ExecutionKey&, const ExecutionKey&) = default;
};

// On the native executor, the instance of an execution has the execution's own id.
constexpr ExecutionId execution_of(InstanceId id) {
    return {id.value};
}

// Where an item of the queue stands. On the wire and in the database these are PENDING, CLAIMED,
// DISPATCHED, COMPLETED, FAILED, CANCELLED.
enum class QueueStatus { pending, claimed, dispatched, completed, failed, cancelled };

std::string_view to_string(QueueStatus status);
std::optional<QueueStatus> parse_queue_status(std::string_view text);

// What a person wants to know of it: RUNNING from the claim on.
enum class ExecutionStatus { pending, running, completed, failed, cancelled };

std::string_view to_string(ExecutionStatus status);
std::optional<ExecutionStatus> parse_execution_status(std::string_view text);

ExecutionStatus execution_status(QueueStatus status);

constexpr bool is_open(QueueStatus status) {
    return status == QueueStatus::pending || status == QueueStatus::claimed ||
           status == QueueStatus::dispatched;
}

// It has a slot of its workspace.
constexpr bool is_active(QueueStatus status) {
    return status == QueueStatus::claimed || status == QueueStatus::dispatched;
}

// In which line an open execution stands. Stored as READY, PARKED, DUE, ACTIVE.
enum class QueuePlace {
    ready,   // The next admission may take it.
    parked,  // Its concurrency key is full; it comes back when one of that key ends.
    due,     // Delayed, or backing off after a refusal: until `due_at`.
    active,  // It has a slot.
};

std::string_view to_string(QueuePlace place);
std::optional<QueuePlace> parse_queue_place(std::string_view text);

// Who tries to start it. The token is raised by each claim and each recovery: writes of an owner
// that lost it name an older one.
struct Claim {
    std::int64_t token = 0;  // 0: never claimed.
    std::string owner{};     // The replica; empty when nobody is at it.

    friend bool operator==(const Claim&, const Claim&) = default;
};

// One execution, which is one item of the queue too: one record, one id, from the enqueue until
// retention. Invariant: `place` is set while it is open; `completed_at` when it is not.
struct Execution {
    ExecutionKey key{};
    DefinitionRef definition{};  // The version is pinned when it is enqueued.
    QueueStatus queue_status = QueueStatus::pending;
    QueuePlace place = QueuePlace::ready;
    std::int32_t priority = 0;
    Instant rank_at{};  // The place in the line of its workspace: core/queue/rank.hpp.
    std::optional<Instant> not_before{};
    std::optional<Instant> deadline{};  // It starts until then, or fails.
    std::string concurrency_key{};      // Empty for none.
    std::string requested_by{};         // The name of the API key; empty when nobody is known.
    Instant created_at{};
    std::optional<Instant> claimed_at{};
    std::optional<Instant> dispatched_at{};
    std::optional<Instant> started_at{};
    std::optional<Instant> completed_at{};
    std::int32_t attempt_count = 0;  // Starts that the executor answered with an error that counts.
    std::int32_t deferrals = 0;      // Starts for which it was not there.
    std::int32_t recoveries = 0;     // Claims whose owner was lost, or whose outcome was.
    std::optional<Instant> next_attempt_at{};
    std::string last_error{};
    std::string error_reason{};  // Of a FAILED one: WORKFLOW_FAILED and others.
    std::string error_message{};
    Claim claim{};
    // While it is DUE: until when. While it is ACTIVE elsewhere: when somebody has to look at it,
    // because its owner's lease is over by then or its run is to be asked about. Empty for native.
    std::optional<Instant> due_at{};
    ExecutorKind executor = ExecutorKind::native;
    std::string target{};                   // Of a remote executor.
    std::string run_id{};                   // There.
    std::optional<Instant> first_try_at{};  // When its start was first sent: see START_UNKNOWN.
    std::optional<Instant> cancel_requested_at{};
    bool is_forced = false;    // The cancellation is to end it without asking.
    bool is_resuming = false;  // Its instance goes on where it failed; it is not started anew.
    std::optional<InstanceId> instance_id{};  // Of the native run: the last of its chain.
    std::optional<ExecutionId> retry_of{};
    std::optional<ExecutionId> retried_by{};
    std::optional<Instant> dismissed_at{};  // A dead letter that nobody wants to see any more.
    std::string trace_parent{};             // Of the request that made it.

    friend bool operator==(const Execution&, const Execution&) = default;
};

// The id under which a remote executor knows it, for all its life.
std::string workflow_id(const ExecutionKey& key);
std::optional<ExecutionId> parse_workflow_id(std::string_view text);

// The native run of an open execution has gone on to the next instance of its chain. Its row need
// not be loaded.
struct ExecutionMove {
    ExecutionKey key{};
    InstanceId instance_id{};

    friend bool operator==(const ExecutionMove&, const ExecutionMove&) = default;
};

// How a run ended, for an execution whose row need not be loaded.
struct ExecutionEnd {
    ExecutionKey key{};
    QueueStatus queue_status = QueueStatus::completed;
    std::string reason{};
    std::string message{};
    Instant at{};
    std::optional<InstanceId> instance_id{};  // The last of its chain.
    // Nothing but its end is written even if the row is loaded: the store may refuse to take the
    // rest of it back.
    bool is_all_that_is_written = false;

    friend bool operator==(const ExecutionEnd&, const ExecutionEnd&) = default;
};

}  // namespace millrace
