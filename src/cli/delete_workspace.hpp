#pragma once

#include <string>

#include "cli/context.hpp"

namespace millrace::cli {

// `millrace workspaces delete ID`, after asking.
struct DeleteWorkspace {
    std::string id{};
    // Cancel first what is open in it.
    bool is_forced = false;
    // Do not ask.
    bool is_confirmed = false;
};

int execute(const DeleteWorkspace& command, const Context& context);

}  // namespace millrace::cli
