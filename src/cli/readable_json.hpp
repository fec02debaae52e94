#pragma once

#include <string>

#include "base/json/value.hpp"

namespace millrace::cli {

// JSON for eyes: <, > and & stand for themselves.
std::string readable(const json::Value& value);  // In one line.
std::string pretty(const json::Value& value);    // One member per line, with a line end.

}  // namespace millrace::cli
