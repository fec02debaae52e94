#pragma once

#include <span>
#include <string>

namespace millrace {

// `millrace serve`: runs a server until SIGTERM or SIGINT and returns the program's exit code.
int serve_main(std::span<const std::string> arguments);

}  // namespace millrace
