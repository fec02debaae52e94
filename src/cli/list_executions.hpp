#pragma once

#include <cstdint>

#include "cli/collect.hpp"
#include "cli/context.hpp"
#include "millrace/client/queue_requests.hpp"

namespace millrace::cli {

// `millrace executions list`
struct ListExecutions {
    client::ExecutionFilter filter{};
    std::int32_t limit = kListLimit;
};

int execute(const ListExecutions& command, const Context& context);

}  // namespace millrace::cli
