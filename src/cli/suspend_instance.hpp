#pragma once

#include <string>

#include "cli/context.hpp"

namespace millrace::cli {

// `millrace instances suspend ID`
struct SuspendInstance {
    std::string id{};
    std::string reason{};
};

int execute(const SuspendInstance& command, const Context& context);

}  // namespace millrace::cli
