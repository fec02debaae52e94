#pragma once

#include <string>
#include <vector>

#include "cli/context.hpp"

namespace millrace::cli {

// `millrace definitions apply FILE…`: uploads each file, and goes on after one that is refused.
struct ApplyDefinitions {
    std::vector<std::string> files{};
};

int execute(const ApplyDefinitions& command, const Context& context);

}  // namespace millrace::cli
