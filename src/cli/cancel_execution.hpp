#pragma once

#include "cli/context.hpp"
#include "millrace/client/queue_requests.hpp"

namespace millrace::cli {

// `millrace executions cancel ID`
struct CancelExecution {
    client::CancelExecution cancel{};
};

int execute(const CancelExecution& command, const Context& context);

}  // namespace millrace::cli
