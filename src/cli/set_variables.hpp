#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cli/context.hpp"
#include "cli/read_variables.hpp"

namespace millrace::cli {

// `millrace instances set ID`
struct SetVariables {
    std::string id{};
    VariableArguments variables{};
    std::vector<std::string> remove{};
    std::optional<std::int64_t> expected_version{};
};

int execute(const SetVariables& command, const Context& context);

}  // namespace millrace::cli
