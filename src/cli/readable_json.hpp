#pragma once

#include <string>

#include "base/json/value.hpp"

namespace millrace::cli {

// JSON for eyes: <, > and & stand for themselves.
std::string readable(const json::Value& value);  // In one line.
std::string pretty(const json::Value& value);    // One member per line, with a line end.

// The same whoever wrote it: members sorted by name, but where their order is meaning, and without
// the version.
json::Value canonical_definition(const json::Value& definition);

}  // namespace millrace::cli
