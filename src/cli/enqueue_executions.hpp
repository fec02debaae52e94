#pragma once

#include <string>

#include "cli/context.hpp"

namespace millrace::cli {

// `millrace executions enqueue --batch FILE`
struct EnqueueExecutions {
    std::string file{};
};

int execute(const EnqueueExecutions& command, const Context& context);

}  // namespace millrace::cli
