#pragma once

#include <string>

#include "cli/context.hpp"
#include "millrace/client/queue_requests.hpp"

namespace millrace::cli {

// `millrace workspaces update ID`
struct UpdateWorkspace {
    std::string id{};
    client::WorkspaceSettings change{};
};

int execute(const UpdateWorkspace& command, const Context& context);

}  // namespace millrace::cli
