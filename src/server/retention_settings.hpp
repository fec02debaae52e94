#pragma once

#include <string>
#include <string_view>

#include "config/server_config.hpp"
#include "node/housekeeping.hpp"

namespace millrace {

// What is wrong with the rules of retention or auditRetention; empty: nothing, or another setting.
std::string flaw_of_value(std::string_view key, const std::string& value);

// The rules of a configuration without such flaws.
Housekeeping::Rules retention_rules(const ServerConfig& config);

}  // namespace millrace
