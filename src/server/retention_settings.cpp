#include "server/retention_settings.hpp"

#include "base/check.hpp"

namespace millrace {

namespace {

using Subject = RetentionRules::Subject;

RetentionRules rules_of(const std::string& text, Subject subject) {
    Result<RetentionRules> rules = RetentionRules::parse(text, subject);
    MILLRACE_CHECK(rules);
    return std::move(*rules);
}

}  // namespace

std::string flaw_of_value(std::string_view key, const std::string& value) {
    if (key != "retention" && key != "auditRetention") return "";
    const Subject subject = key == "retention" ? Subject::instances : Subject::audit;
    const Result<RetentionRules> rules = RetentionRules::parse(value, subject);
    return rules ? "" : rules.error().detail;
}

Housekeeping::Rules retention_rules(const ServerConfig& config) {
    return {rules_of(config.retention, Subject::instances),
            rules_of(config.audit_retention, Subject::audit)};
}

}  // namespace millrace
