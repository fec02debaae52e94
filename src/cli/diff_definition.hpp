#pragma once

#include <string>
#include <vector>

#include "cli/context.hpp"

namespace millrace::cli {

// `millrace definitions diff FILE…`: each file against the latest version that the server has. The
// exit code is that of a refusal when there is a difference.
struct DiffDefinition {
    std::vector<std::string> files{};
};

int execute(const DiffDefinition& command, const Context& context);

}  // namespace millrace::cli
