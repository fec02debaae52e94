#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "config/server_config.hpp"

namespace millrace {

using Environment = std::function<std::optional<std::string>(std::string_view name)>;

// What is wrong with the value of a setting beyond its form, for whoever knows more of it than this
// layer; empty: nothing.
using ValueCheck = std::function<std::string(std::string_view key, const std::string& value)>;

// Read when no other file is named, and only if it exists.
inline constexpr const char* kDefaultConfigFile = "/etc/millrace/millrace.yaml";

// Flags win over MILLRACE_* variables, those over their synonyms, those over the file (--config,
// MILLRACE_CONFIG), that over defaults. An empty value is an unset one. invalid_argument names
// every unknown flag and key and every bad value at once, those of the file with their line.
Result<ServerConfig> read_config(const std::vector<std::string>& arguments,
                                 const Environment& environment,
                                 const std::string& default_file = kDefaultConfigFile,
                                 const ValueCheck& check = {});

}  // namespace millrace
