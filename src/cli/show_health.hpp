#pragma once

#include "cli/context.hpp"

namespace millrace::cli {

// `millrace doctor`: what is good and bad about a store, and what to do about it.
struct ShowHealth {
    LocalStore store{};
    bool is_strict = false;  // Warnings count, too.
};

int execute(const ShowHealth& command, const Context& context);

}  // namespace millrace::cli
