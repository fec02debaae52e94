#pragma once

#include <string>

#include "config/server_config.hpp"

namespace millrace {

// The text of `millrace serve --help`.
std::string config_help();

// The configuration as YAML that read_config takes, with passwords hidden.
std::string config_yaml(const ServerConfig& config);

}  // namespace millrace
