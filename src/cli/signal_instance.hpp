#pragma once

#include <string>

#include "cli/context.hpp"
#include "cli/read_variables.hpp"

namespace millrace::cli {

// `millrace instances signal ID STEP`: what a WAIT step waits for.
struct SignalInstance {
    std::string id{};
    std::string step_id{};
    VariableArguments variables{};
    std::string idempotency_key{};
};

int execute(const SignalInstance& command, const Context& context);

}  // namespace millrace::cli
