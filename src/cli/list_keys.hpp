#pragma once

#include <cstdint>

#include "cli/collect.hpp"
#include "cli/context.hpp"

namespace millrace::cli {

// `millrace keys list`
struct ListKeys {
    std::int32_t limit = kListLimit;
};

int execute(const ListKeys& command, const Context& context);

}  // namespace millrace::cli
