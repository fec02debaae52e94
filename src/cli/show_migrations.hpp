#pragma once

#include "cli/context.hpp"

namespace millrace::cli {

// `millrace migrate status`: what was and what would be done to the schema of a store.
struct ShowMigrations {
    LocalStore store{};
};

int execute(const ShowMigrations& command, const Context& context);

}  // namespace millrace::cli
