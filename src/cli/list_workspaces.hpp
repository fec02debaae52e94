#pragma once

#include <cstdint>

#include "cli/collect.hpp"
#include "cli/context.hpp"

namespace millrace::cli {

// `millrace workspaces list`
struct ListWorkspaces {
    std::int32_t limit = kListLimit;
};

int execute(const ListWorkspaces& command, const Context& context);

}  // namespace millrace::cli
