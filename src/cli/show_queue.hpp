#pragma once

#include <cstdint>

#include "cli/collect.hpp"
#include "cli/context.hpp"

namespace millrace::cli {

// `millrace queue show`: the line of the workspace that is named, else those of all.
struct ShowQueue {
    std::int32_t limit = kListLimit;
};

int execute(const ShowQueue& command, const Context& context);

}  // namespace millrace::cli
