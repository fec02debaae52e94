#include "config/setting_groups.hpp"
#include "config/setting_values.hpp"

namespace millrace::config {

std::vector<Setting> retention_settings() {
    constexpr std::string_view kRules = "rules like P365D,acme=P30D, or keep";
    return {
        {.key = "retention",
         .flag = "--retention",
         .environment = "MILLRACE_RETENTION",
         .description = "How long finished instances are kept: keep, or rules like "
                        "P365D,acme=P30D,acme/order=keep,*/import=P1D",
         .expects = kRules,
         .set = set_text<&ServerConfig::retention>,
         .get = get_text<&ServerConfig::retention>},
        {.key = "auditRetention",
         .flag = "--audit-retention",
         .environment = "MILLRACE_AUDIT_RETENTION",
         .description = "How long audit entries are kept: keep, or rules like P365D,acme=P30D",
         .expects = kRules,
         .set = set_text<&ServerConfig::audit_retention>,
         .get = get_text<&ServerConfig::audit_retention>},
    };
}

}  // namespace millrace::config
