#pragma once

#include <string>

#include "base/json/value.hpp"
#include "base/result.hpp"
#include "cli/context.hpp"

namespace millrace::cli {

// The content of a file, or of standard input for "-". not_found when it cannot be read.
Result<std::string> read_input(const Console& console, const std::string& file);

// The same as JSON. invalid_argument names the file and where in it.
Result<json::Value> read_json(const Console& console, const std::string& file);

// What stands behind an option that takes JSON: as text, @FILE, or "-" for standard input.
// invalid_argument names the option and what is wrong with it.
Result<json::Value> read_json_option(const Console& console, const std::string& option,
                                     const std::string& text);

}  // namespace millrace::cli
