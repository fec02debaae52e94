#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "millrace/client/requests.hpp"
#include "millrace/json/value.hpp"
#include "millrace/time.hpp"

// What can be asked of the execution queue.
namespace millrace::client {

// What is empty or absent stays as it is; of a new workspace, as the server has it by default.
struct WorkspaceSettings {
    std::string name{};
    std::string plan{};
    std::optional<std::int64_t> max_active{};
    std::optional<std::int64_t> max_per_key{};
    std::optional<double> rate_per_second{};
    std::optional<std::int64_t> max_attempts{};
    std::optional<std::int64_t> weight{};
    std::optional<bool> paused{};
    // maxActive, maxPerKey, ratePerSecond or maxAttempts: as if it had never been set.
    std::vector<std::string> unset{};

    friend bool operator==(const WorkspaceSettings&, const WorkspaceSettings&) = default;
};

struct Enqueue {
    std::string definition_id{};
    // The latest when absent.
    std::optional<std::int32_t> definition_version{};
    json::Value input = json::Object{};
    std::optional<std::int32_t> priority{};
    // RFC 3339, both.
    std::string not_before{};
    std::string deadline{};
    std::string concurrency_key{};
    std::string idempotency_key{};  // As for StartInstance.
};

// What is empty does not restrict.
struct ExecutionFilter {
    // Dead letters have but one.
    std::vector<std::string> statuses{};
    std::vector<std::string> queue_statuses{};
    std::string definition_id{};
    std::string concurrency_key{};
    std::string reason{};
    std::string requested_by{};
    // RFC 3339; from this on.
    std::string created_from{};
    // RFC 3339; up to here, without it.
    std::string created_before{};

    friend bool operator==(const ExecutionFilter&, const ExecutionFilter&) = default;
};

struct ListExecutions {
    ExecutionFilter filter{};
    Paging paging{};
};

struct CancelExecution {
    std::string id{};
    std::string reason{};
    // Ends a run elsewhere without asking it.
    bool force = false;
};

struct RetryExecution {
    std::string id{};
    // Itself, where it failed, instead of a new one.
    bool resume = false;
    std::string idempotency_key{};  // As for StartInstance.
};

// The end of a run elsewhere.
struct CompleteExecution {
    std::string id{};
    // COMPLETED, FAILED or CANCELLED.
    std::string status{};
    // Of a COMPLETED one.
    std::optional<json::Value> result{};
    // Of the others: WORKFLOW_FAILED, TIMED_OUT or TERMINATED.
    std::string reason{};
    std::string message{};
    std::string run_id{};
};

// These, or all that match when there are no ids: the oldest first.
struct SelectDeadLetters {
    std::vector<std::string> ids{};
    std::string definition_id{};
    std::string reason{};
    // All of the workspace. To be said, lest a list of ids that is empty by chance means it.
    bool all = false;
    // At most so many in this call.
    std::optional<std::int32_t> limit{};
};

struct RedriveDeadLetters {
    SelectDeadLetters selection{};
    // Only the first so many.
    std::optional<std::int32_t> trial{};
    // Spreads them over time.
    std::optional<double> rate_per_second{};
};

}  // namespace millrace::client
