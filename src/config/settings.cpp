#include "config/settings.hpp"

#include <algorithm>
#include <iterator>

#include "config/setting_groups.hpp"

namespace millrace {

const std::vector<Setting>& settings() {
    static const std::vector<Setting> kSettings = [] {
        std::vector<Setting> all;
        for (const auto group :
             {config::network_settings, config::postgres_settings, config::access_settings,
              config::retention_settings, config::dispatcher_settings, config::plan_settings,
              config::running_settings, config::tracing_settings, config::temporal_settings}) {
            std::ranges::move(group(), std::back_inserter(all));
        }
        return all;
    }();
    return kSettings;
}

std::optional<Setting> find_setting(std::string_view key) {
    for (const Setting& setting : settings()) {
        if (key == setting.key || (!key.empty() && key == setting.key_synonym)) return setting;
    }
    if (std::optional<Setting> of_plan = config::setting_of_plan(key)) return of_plan;
    if (std::optional<Setting> of_client = config::setting_of_client(key)) return of_client;
    return config::setting_of_target(key);
}

std::vector<Setting> named_settings(const ServerConfig& config) {
    std::vector<Setting> all;
    for (const auto& [name, target] : config.temporal) {
        if (name == kDefaultTarget) continue;
        std::ranges::move(config::settings_of_target(name), std::back_inserter(all));
    }
    for (const auto& [name, client] : config.clients) {
        std::ranges::move(config::settings_of_client(name), std::back_inserter(all));
    }
    return all;
}

}  // namespace millrace
