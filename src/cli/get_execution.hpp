#pragma once

#include <string>

#include "cli/context.hpp"
#include "cli/wait_for_execution.hpp"

namespace millrace::cli {

// `millrace executions get ID`
struct GetExecution {
    std::string id{};
    WaitArguments wait{};
};

int execute(const GetExecution& command, const Context& context);

}  // namespace millrace::cli
