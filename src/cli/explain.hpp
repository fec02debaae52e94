#pragma once

#include <string>

#include "cli/context.hpp"

namespace millrace::cli {

// `millrace explain ID`: of an execution, an instance or a job, or the name of a workspace.
struct Explain {
    std::string id{};
};

int execute(const Explain& command, const Context& context);

}  // namespace millrace::cli
