#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/json/value.hpp"
#include "core/definition/executor_spec.hpp"
#include "core/definition/iso_duration.hpp"
#include "core/definition/retry_policy.hpp"
#include "core/expression/expression.hpp"

namespace millrace {

enum class StepType {
    service_task,
    user_task,
    decision,
    transformation,
    wait,
    parallel_gateway,
    join_gateway,
    end,
};
inline constexpr std::size_t kStepTypeCount = static_cast<std::size_t>(StepType::end) + 1;

// On the wire and in the database these are SERVICE_TASK, USER_TASK and so on.
std::string_view to_string(StepType type);
std::optional<StepType> parse_step_type(std::string_view text);

// "When the condition holds, go there." The first that holds wins, in document order.
struct ConditionalStep {
    Expression condition;
    std::string target_step_id{};
};

// "Set this variable": to the value of an expression, to the time, or to a literal.
struct Transformation {
    std::string variable{};
    std::optional<Expression> expression{};
    bool is_now = false;  // ${now()}: the time as RFC 3339 with whole seconds.
    json::Value literal{};
};

struct BoundaryTimer {
    IsoDuration duration{};
    bool interrupting = false;
    std::string target_step_id{};
};

struct Step {
    std::string id{};
    std::string name{};
    StepType type = StepType::end;
    std::string next_step{};  // Empty when there is none.
    std::vector<std::string> parallel_next_steps{};
    std::string join_step{};
    std::vector<ConditionalStep> conditional_next_steps{};
    std::vector<Transformation> transformations{};
    std::string job_type{};
    std::int32_t retry_count = 0;
    RetryPolicy retry_policy{};
    std::optional<Duration> try_timeout{};  // The longest time of one try.
    std::string assignee{};                 // Of a USER_TASK; empty for nobody.
    std::vector<std::string> candidate_groups{};
    json::Value form{};
    std::vector<BoundaryTimer> boundary_timers{};
};

// A process as its author described it, checked and ready to run. Never changes once stored.
struct Definition {
    std::string id{};
    std::string name{};
    // The first one is the entry. Only what runs elsewhere may have none.
    std::vector<Step> steps{};
    std::string chained_definition{};  // Started when an instance completes; empty for none.
    ExecutorSpec executor{};
    std::optional<std::int32_t> max_attempts{};  // Starts that may fail, before an execution does.
    // Whether any step can be entered more than once: there is a cycle, or more than one token.
    bool steps_may_repeat = true;
    std::unordered_map<std::string_view, std::size_t> index{};  // Of `steps`, by their ids.

    Definition() = default;
    Definition(const Definition&) = delete;  // `index` points into `steps`.
    Definition& operator=(const Definition&) = delete;

    // Whether its instances run here. Others have executions only, which are enqueued.
    bool is_native() const { return executor.kind == ExecutorKind::native; }

    // Null when there is no such step.
    const Step* find_step(std::string_view step_id) const;
};

using DefinitionPtr = std::shared_ptr<const Definition>;

}  // namespace millrace
