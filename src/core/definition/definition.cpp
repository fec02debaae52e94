#include "core/definition/definition.hpp"

#include <array>
#include <utility>

namespace millrace {

namespace {

using namespace std::string_view_literals;

// In the order of the enumeration.
constexpr std::array kStepTypes{
    std::pair{StepType::service_task, "SERVICE_TASK"sv},
    std::pair{StepType::user_task, "USER_TASK"sv},
    std::pair{StepType::decision, "DECISION"sv},
    std::pair{StepType::transformation, "TRANSFORMATION"sv},
    std::pair{StepType::wait, "WAIT"sv},
    std::pair{StepType::parallel_gateway, "PARALLEL_GATEWAY"sv},
    std::pair{StepType::join_gateway, "JOIN_GATEWAY"sv},
    std::pair{StepType::end, "END"sv},
};

constexpr bool is_in_order() {
    for (std::size_t i = 0; i < kStepTypes.size(); ++i) {
        if (static_cast<std::size_t>(kStepTypes[i].first) != i) return false;
    }
    return kStepTypes.size() == kStepTypeCount;
}
static_assert(is_in_order());

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
