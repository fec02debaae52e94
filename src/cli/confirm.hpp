#pragma once

#include <optional>
#include <string>

#include "cli/context.hpp"

namespace millrace::cli {

// Asks whoever sits at the terminal. Nothing: go on. Otherwise it has said why not, and this is the
// exit code; without a terminal nobody can be asked, and the answer has to be --yes.
std::optional<int> declined(const Context& context, const std::string& question);

}  // namespace millrace::cli
