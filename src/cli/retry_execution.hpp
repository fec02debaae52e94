#pragma once

#include "cli/context.hpp"
#include "millrace/client/queue_requests.hpp"

namespace millrace::cli {

// `millrace executions retry ID`
struct RetryExecution {
    client::RetryExecution retry{};
};

int execute(const RetryExecution& command, const Context& context);

}  // namespace millrace::cli
