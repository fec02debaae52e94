#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "config/settings.hpp"

// The tables that settings() is made of, one file each.
namespace millrace::config {

std::vector<Setting> network_settings();
std::vector<Setting> postgres_settings();
std::vector<Setting> access_settings();
std::vector<Setting> retention_settings();
std::vector<Setting> dispatcher_settings();
std::vector<Setting> plan_settings();
std::vector<Setting> running_settings();
std::vector<Setting> tracing_settings();
// Of the target called default, which alone has flags and variables.
std::vector<Setting> temporal_settings();

// [A-Z][A-Z0-9_]{0,31}
bool is_plan_name(std::string_view name);
// [A-Za-z0-9][A-Za-z0-9_-]{0,62}
bool is_target_name(std::string_view name);

// [A-Za-z0-9][A-Za-z0-9_-]{0,62}
bool is_client_name(std::string_view name);
// uri:, dns: or cn:, and something after it.
bool is_certificate_name(std::string_view text);

// Of one plan: plans.PRO.maxActive. Empty for any other key.
std::optional<Setting> setting_of_plan(std::string_view key);
// Of one target: temporal.eu.address. Empty for any other key.
std::optional<Setting> setting_of_target(std::string_view key);
// All of one target.
std::vector<Setting> settings_of_target(std::string_view name);

// Of one client: clients.billing.role. Empty for any other key.
std::optional<Setting> setting_of_client(std::string_view key);
// All of one client.
std::vector<Setting> settings_of_client(std::string_view name);

}  // namespace millrace::config
