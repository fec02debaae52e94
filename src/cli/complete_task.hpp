#pragma once

#include <string>

#include "cli/context.hpp"
#include "cli/read_variables.hpp"

namespace millrace::cli {

// `millrace tasks complete ID`
struct CompleteTask {
    std::string id{};
    std::string user_id{};
    VariableArguments variables{};
    std::string idempotency_key{};
};

int execute(const CompleteTask& command, const Context& context);

}  // namespace millrace::cli
