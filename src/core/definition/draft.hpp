#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/json/value.hpp"
#include "core/definition/definition.hpp"

namespace millrace::definition {

struct DraftBoundaryEvent {
    std::string_view type{};
    std::string_view duration{};
    bool interrupting = false;
    std::string_view target_step_id{};
};

struct DraftRetryPolicy {
    std::string_view initial_delay{};
    std::optional<double> factor{};
    std::string_view max_delay{};
    std::optional<double> jitter{};
};

struct DraftStep {
    std::string_view id{};
    std::string_view name{};
    std::string_view type_text{};
    std::optional<StepType> type{};  // Empty when the text names none.
    std::string_view next_step{};
    std::vector<std::string_view> parallel_next_steps{};
    std::string_view join_step{};
    std::span<const json::Member> conditional_next_steps{};
    std::span<const json::Member> transformations{};
    std::string_view job_type{};
    std::int64_t retry_count = 0;
    std::vector<DraftBoundaryEvent> boundary_events{};
    std::optional<DraftRetryPolicy> retry_policy{};
    std::string_view timeout{};
    std::string_view assignee{};
    std::vector<std::string_view> candidate_groups{};
    const json::Value* form = nullptr;  // Null when there is none.
};

struct DraftRunRetry {
    std::string_view initial_interval{};
    std::optional<double> backoff_coefficient{};
    std::string_view maximum_interval{};
    std::int64_t maximum_attempts = 0;
    std::vector<std::string_view> non_retryable_error_types{};
};

struct DraftTimeouts {
    std::string_view execution{};
    std::string_view run{};
    std::string_view task{};
};

struct DraftExecutor {
    std::string_view kind_text{};
    std::optional<ExecutorKind> kind{};  // Empty when the text names none.
    std::string_view target{};
    std::string_view name_space{};
    std::string_view task_queue{};
    std::string_view workflow_type{};
    std::optional<DraftTimeouts> timeouts{};
    std::optional<DraftRunRetry> retry{};
};

// A definition of the right shape whose rules are not checked yet. What is absent is empty. All
// text belongs to the normalized document it was read from.
struct Draft {
    std::string_view id{};
    std::string_view name{};
    bool auto_start_next_workflow = false;
    std::string_view next_workflow_id{};
    std::optional<DraftExecutor> executor{};
    std::int64_t max_attempts = 0;  // 0 when it is absent.
    std::vector<DraftStep> steps{};
    std::unordered_map<std::string_view, std::size_t> index{};  // By id; the first of a name.

    // Whether somebody else runs it.
    bool is_remote() const { return executor && executor->kind == ExecutorKind::temporal; }

    // Null when there is no such step.
    const DraftStep* find_step(std::string_view step_id) const;
};

Draft read_draft(const json::Value& normalized);

}  // namespace millrace::definition
