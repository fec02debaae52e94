#pragma once

#include "cli/context.hpp"

namespace millrace::cli {

// `millrace version`
struct ShowVersion {};

int execute(const ShowVersion& command, const Context& context);

}  // namespace millrace::cli
