#pragma once

#include <span>
#include <string>

#include "cli/context.hpp"

namespace millrace::cli {

// The command line client: all of `millrace` but `serve`. Returns the process's exit code.
int run(std::span<const std::string> arguments, const Local& local, Console console);

}  // namespace millrace::cli
