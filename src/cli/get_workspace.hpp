#pragma once

#include <string>

#include "cli/context.hpp"

namespace millrace::cli {

// `millrace workspaces get ID`
struct GetWorkspace {
    std::string id{};
};

int execute(const GetWorkspace& command, const Context& context);

}  // namespace millrace::cli
