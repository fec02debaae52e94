#pragma once

#include <cstdint>

#include "cli/collect.hpp"
#include "cli/context.hpp"
#include "millrace/client/queue_requests.hpp"

namespace millrace::cli {

// `millrace dlq list`
struct ListDeadLetters {
    client::ExecutionFilter filter{};
    std::int32_t limit = kListLimit;
};

int execute(const ListDeadLetters& command, const Context& context);

}  // namespace millrace::cli
