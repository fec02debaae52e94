#include "core/instance/instance.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>

namespace millrace {

namespace {

// The texts of an enumeration in the order of its enumerators.
template <class Enum, std::size_t N>
std::optional<Enum> parse_enum(const std::array<std::string_view, N>& texts,
                               std::string_view text) {
    const auto found = std::ranges::find(texts, text);
    if (found == texts.end()) return std::nullopt;
    return static_cast<Enum>(found - texts.begin());
}

constexpr std::array<std::string_view, 5> kInstanceStatuses = {"ACTIVE", "WAITING", "COMPLETED",
                                                               "FAILED", "CANCELLED"};
constexpr std::array<std::string_view, 5> kTryOutcomes = {"COMPLETED", "FAILED", "EXPIRED",
                                                          "TIMED_OUT", "RELEASED"};
constexpr std::array<std::string_view, 3> kUserTaskStates = {"OPEN", "COMPLETED", "CANCELLED"};
constexpr std::array<std::string_view, 4> kStepExecutionStatuses = {"RUNNING", "COMPLETED",
                                                                    "FAILED", "SKIPPED"};

}  // namespace

std::string_view to_string(InstanceStatus status) {
    return kInstanceStatuses.at(static_cast<std::size_t>(status));
}

std::optional<InstanceStatus> parse_instance_status(std::string_view text) {
    return parse_enum<InstanceStatus>(kInstanceStatuses, text);
}

std::string_view to_string(TryOutcome outcome) {
    return kTryOutcomes.at(static_cast<std::size_t>(outcome));
}

std::optional<TryOutcome> parse_try_outcome(std::string_view text) {
    return parse_enum<TryOutcome>(kTryOutcomes, text);
}

std::string_view to_string(StepExecutionStatus status) {
    return kStepExecutionStatuses.at(static_cast<std::size_t>(status));
}

std::optional<StepExecutionStatus> parse_step_execution_status(std::string_view text) {
    return parse_enum<StepExecutionStatus>(kStepExecutionStatuses, text);
}

std::string_view to_string(UserTaskState state) {
    return kUserTaskStates.at(static_cast<std::size_t>(state));
}

std::optional<UserTaskState> parse_user_task_state(std::string_view text) {
    return parse_enum<UserTaskState>(kUserTaskStates, text);
}

std::vector<std::string> current_step_ids(const Instance& instance) {
    std::vector<std::string> ids;
    if (instance.status == InstanceStatus::completed) return ids;
    const auto add = [&ids](const std::string& id) {
        if (std::ranges::find(ids, id) == ids.end()) ids.push_back(id);
    };
    for (const OpenStep& step : instance.state.open_steps) add(step.step_id);
    // Where a suspended instance goes on.
    if (instance.state.is_suspended) {
        for (const PendingToken& token : instance.state.pending_tokens) add(token.step_id);
    }
    return ids;
}

std::vector<StepExecution> open_step_executions(const Instance& instance) {
    std::vector<StepExecution> executions;
    if (is_terminal(instance.status)) return executions;
    for (const OpenStep& step : instance.state.open_steps) {
        executions.push_back({
            .key = {{instance.key.id.value.with_sequence(step.sequence)},
                    instance.key.workspace_id},
            .step_id = step.step_id,
            .step_type = step.type,
            .attempt_number = step.attempt_number,
            .status = StepExecutionStatus::running,
            .started_at = step.started_at,
            .tries = step.tries,
        });
    }
    return executions;
}

}  // namespace millrace
