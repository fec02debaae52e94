#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/time.hpp"

namespace millrace {

// Who runs an execution: Millrace's own engine, or a Temporal cluster. On the wire and in the
// database these are native and temporal.
enum class ExecutorKind { native, temporal };

std::string_view to_string(ExecutorKind kind);
std::optional<ExecutorKind> parse_executor_kind(std::string_view text);

// How a cluster is to repeat a run that failed. What is absent is the cluster's own default.
struct RunRetry {
    std::optional<Duration> initial_interval{};
    std::optional<double> backoff_coefficient{};
    std::optional<Duration> maximum_interval{};
    std::int32_t maximum_attempts = 0;  // 0: no bound.
    std::vector<std::string> non_retryable_error_types{};

    friend bool operator==(const RunRetry&, const RunRetry&) = default;
};

// Where and as what a definition runs. Empty names take the default of the target's settings.
struct ExecutorSpec {
    ExecutorKind kind = ExecutorKind::native;
    std::string target{};  // Of the server's settings.
    std::string name_space{};
    std::string task_queue{};
    std::string workflow_type{};
    std::optional<Duration> execution_timeout{};
    std::optional<Duration> run_timeout{};
    std::optional<Duration> task_timeout{};
    std::optional<RunRetry> retry{};

    friend bool operator==(const ExecutorSpec&, const ExecutorSpec&) = default;
};

}  // namespace millrace
