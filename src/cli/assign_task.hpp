#pragma once

#include <string>

#include "cli/context.hpp"

namespace millrace::cli {

// `millrace tasks assign ID USER`: whoever had it.
struct AssignTask {
    std::string id{};
    std::string assignee{};
};

int execute(const AssignTask& command, const Context& context);

}  // namespace millrace::cli
