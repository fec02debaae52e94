#include "core/definition/definition.hpp"

#include <array>
#include <utility>

namespace millrace {

namespace {

constexpr std::array<std::pair<StepType, std::string_view>, 8> kStepTypes{{
    {StepType::service_task, "SERVICE_TASK"},
    {StepType::user_task, "USER_TASK"},
    {StepType::decision, "DECISION"},
    {StepType::transformation, "TRANSFORMATION"},
    {StepType::wait, "WAIT"},
    {StepType::parallel_gateway, "PARALLEL_GATEWAY"},
    {StepType::join_gateway, "JOIN_GATEWAY"},
    {StepType::end, "END"},
}};

}  // namespace

std::string_view to_string(StepType type) {
    return kStepTypes.at(static_cast<std::size_t>(type)).second;
}

std::optional<StepType> parse_step_type(std::string_view text) {
    for (const auto& [type, name] : kStepTypes) {
        if (name == text) return type;
    }
    return std::nullopt;
}

const Step* Definition::find_step(std::string_view step_id) const {
    const auto found = index.find(step_id);
    return found == index.end() ? nullptr : &steps[found->second];
}

}  // namespace millrace
