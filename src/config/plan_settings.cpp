#include <algorithm>

#include "config/setting_groups.hpp"
#include "config/setting_values.hpp"

namespace millrace::config {

namespace {

constexpr std::int32_t kActiveMax = 1'000'000;
constexpr std::size_t kPlanNameBytesMax = 32;
constexpr double kRateMin = 0.001;
constexpr double kRateMax = 1'000'000;
constexpr std::string_view kNone = "none";
constexpr std::string_view kPlansKey = "plans.";

bool parse_active(std::string_view text, std::optional<std::int32_t>& out) {
    out.reset();
    if (text == kNone) return true;
    return parse_integer<std::int32_t>(text, 0, kActiveMax, out.emplace());
}

bool parse_rate(std::string_view text, std::optional<double>& out) {
    out.reset();
    if (text == kNone) return true;
    return parse_decimal(text, kRateMin, kRateMax, out.emplace());
}

// NAME=ACTIVE or NAME=ACTIVE@RATE. Says all about that plan.
bool add_plan(ServerConfig& config, std::string_view text) {
    const std::size_t equals = text.find('=');
    if (equals == std::string_view::npos || !is_plan_name(text.substr(0, equals))) return false;
    const std::string_view limits = text.substr(equals + 1);
    const std::size_t at = limits.find('@');
    PlanSettings plan;
    if (!parse_active(limits.substr(0, at), plan.max_active)) return false;
    if (at != std::string_view::npos && !parse_rate(limits.substr(at + 1), plan.rate_per_second)) {
        return false;
    }
    config.plans[std::string(text.substr(0, equals))] = plan;
    return true;
}

bool set_plans(ServerConfig& config, const std::string& value) {
    std::string_view rest = value;
    while (true) {
        const std::string_view plan = rest.substr(0, rest.find(','));
        if (!add_plan(config, plan)) return false;
        if (plan.size() == rest.size()) return true;
        rest.remove_prefix(plan.size() + 1);
    }
}

std::string get_plans(const ServerConfig& config) {
    std::string text;
    for (const auto& [name, plan] : config.plans) {
        if (!text.empty()) text += ',';
        text += name + "=";
        text += plan.max_active ? std::to_string(*plan.max_active) : kNone;
        if (plan.rate_per_second) text += "@" + decimal_text(*plan.rate_per_second);
    }
    return text;
}

}  // namespace

bool is_plan_name(std::string_view name) {
    const auto is_upper = [](char c) {
        return c >= 'A' && c <= 'Z';
    };
    const auto fits = [&](char c) {
        return is_upper(c) || (c >= '0' && c <= '9') || c == '_';
    };
    return !name.empty() && name.size() <= kPlanNameBytesMax && is_upper(name.front()) &&
           std::ranges::all_of(name, fits);
}

std::vector<Setting> plan_settings() {
    return {
        {.key = "plans",
         .flag = "--plans",
         .environment = "MILLRACE_PLANS",
         .description = "Executions that a workspace may have active at once, and per second let "
                        "in, by its plan: FREE=1,PRO=5@20,UNLIMITED=none",
         .expects = "plans like FREE=1,PRO=5@20,UNLIMITED=none: from 0 to 1000000 active at once, "
                    "and a rate from 0.001 to 1000000 per second",
         .set = set_plans,
         .get = get_plans},
    };
}

std::optional<Setting> setting_of_plan(std::string_view key) {
    if (!key.starts_with(kPlansKey)) return std::nullopt;
    const std::string_view rest = key.substr(kPlansKey.size());
    const std::size_t dot = std::min(rest.find('.'), rest.size());
    const std::string name(rest.substr(0, dot));
    const std::string_view field = rest.substr(dot);
    Setting setting{.key = std::string(key), .kind = SettingKind::number};
    if (field == ".maxActive") {
        setting.expects = "a number from 0 to 1000000, or none";
        setting.set = [name](ServerConfig& config, const std::string& value) {
            return parse_active(value, config.plans[name].max_active);
        };
        return setting;
    }
    if (field == ".ratePerSecond") {
        setting.expects = "a number from 0.001 to 1000000, or none";
        setting.set = [name](ServerConfig& config, const std::string& value) {
            return parse_rate(value, config.plans[name].rate_per_second);
        };
        return setting;
    }
    return std::nullopt;
}

}  // namespace millrace::config
