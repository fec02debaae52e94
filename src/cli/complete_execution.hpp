#pragma once

#include <string>

#include "cli/context.hpp"
#include "millrace/client/queue_requests.hpp"

namespace millrace::cli {

// `millrace executions complete ID`: a run elsewhere is over.
struct CompleteExecution {
    // All but the result.
    client::CompleteExecution completion{.status = "COMPLETED"};
    // JSON, @FILE or "-".
    std::string result{};
};

int execute(const CompleteExecution& command, const Context& context);

}  // namespace millrace::cli
