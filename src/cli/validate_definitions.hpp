#pragma once

#include <string>
#include <vector>

#include "cli/context.hpp"

namespace millrace::cli {

// `millrace definitions validate FILE…`: checks each file by the server's own rules, without one.
// As JSON one line per file: {"file", "accepted", and unless accepted "error", "details"}.
struct ValidateDefinitions {
    std::vector<std::string> files{};
    bool allow_unknown_fields = false;
};

int execute(const ValidateDefinitions& command, const Context& context);

}  // namespace millrace::cli
