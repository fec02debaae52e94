#pragma once

#include <string>

#include "cli/context.hpp"

namespace millrace::cli {

// "millrace 0.1.0"
std::string version_text();

// `millrace version`
struct ShowVersion {};

int execute(const ShowVersion& command, const Context& context);

}  // namespace millrace::cli
