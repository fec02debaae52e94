#pragma once

#include <string>

#include "cli/context.hpp"

namespace millrace::cli {

// `millrace completion bash|zsh|fish`: a script that lets a shell complete our commands.
struct PrintCompletion {
    std::string shell{};
};

int execute(const PrintCompletion& command, const Context& context);

}  // namespace millrace::cli
