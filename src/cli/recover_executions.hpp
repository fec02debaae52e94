#pragma once

#include "cli/context.hpp"

namespace millrace::cli {

// `millrace queue recover`: takes over what was claimed long ago.
struct RecoverExecutions {
    double older_than_seconds = 0;
};

int execute(const RecoverExecutions& command, const Context& context);

}  // namespace millrace::cli
