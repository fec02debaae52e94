#pragma once

#include <string>

#include "cli/context.hpp"

namespace millrace::cli {

// `millrace promote --from sqlite:PATH --to URL`: moves everything of an embedded store that no
// server has to PostgreSQL, and compares both.
struct PromoteStore {
    std::string from{};
    std::string to{};
};

int execute(const PromoteStore& command, const Context& context);

}  // namespace millrace::cli
