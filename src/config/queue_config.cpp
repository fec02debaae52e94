#include "config/queue_config.hpp"

namespace millrace {

std::map<std::string, PlanSettings> default_plan_settings() {
    return {
        {"FREE", {.max_active = 1}},
        {"PRO", {.max_active = 5}},
        {"ENTERPRISE", {.max_active = 20}},
        {"UNLIMITED", {}},
    };
}

bool uses_tls(const TemporalSettings& target) {
    return !target.ca.empty() || !target.certificate.empty() || !target.server_name.empty() ||
           !target.api_key.empty();
}

}  // namespace millrace
