#pragma once

#include <cstdint>

#include "cli/collect.hpp"
#include "cli/context.hpp"

namespace millrace::cli {

// `millrace dlq groups`
struct ListDeadLetterGroups {
    std::int32_t limit = kListLimit;
};

int execute(const ListDeadLetterGroups& command, const Context& context);

}  // namespace millrace::cli
