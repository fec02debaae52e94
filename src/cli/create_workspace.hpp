#pragma once

#include <string>

#include "cli/context.hpp"
#include "millrace/client/queue_requests.hpp"

namespace millrace::cli {

// `millrace workspaces create ID`
struct CreateWorkspace {
    std::string id{};
    client::WorkspaceSettings settings{};
};

int execute(const CreateWorkspace& command, const Context& context);

}  // namespace millrace::cli
