#pragma once

#include <string>

#include "cli/context.hpp"
#include "cli/read_variables.hpp"
#include "cli/wait_for_execution.hpp"
#include "millrace/client/queue_requests.hpp"

namespace millrace::cli {

// `millrace executions enqueue DEFINITION`
struct EnqueueExecution {
    // All but the input.
    client::Enqueue enqueue{};
    VariableArguments input{.option = "--input"};
    WaitArguments wait{};
};

int execute(const EnqueueExecution& command, const Context& context);

}  // namespace millrace::cli
