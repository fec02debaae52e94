#pragma once

#include <string>

#include "base/json/value.hpp"

namespace millrace::cli {

// A value as a YAML document in block style, which reads back as the same value.
std::string to_yaml(const json::Value& value);

}  // namespace millrace::cli
