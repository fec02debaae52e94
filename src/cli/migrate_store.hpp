#pragma once

#include "cli/context.hpp"

namespace millrace::cli {

// `millrace migrate up`: brings the schema of a store up to this program's version.
struct MigrateStore {
    LocalStore store{};
};

int execute(const MigrateStore& command, const Context& context);

}  // namespace millrace::cli
