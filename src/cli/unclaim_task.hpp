#pragma once

#include <string>

#include "cli/context.hpp"

namespace millrace::cli {

// `millrace tasks unclaim ID`
struct UnclaimTask {
    std::string id{};
    std::string user_id{};  // Only if this one has it; whoever has it when empty.
};

int execute(const UnclaimTask& command, const Context& context);

}  // namespace millrace::cli
