#include "config/unknown_variables.hpp"

#include <algorithm>
#include <array>
#include <string_view>

#include "config/settings.hpp"

namespace millrace {

namespace {

constexpr std::string_view kPrefix = "MILLRACE_";

// Of the command line, of the commands that a worker starts, and of our tests.
constexpr std::array<std::string_view, 13> kElsewhere{
    "API_KEY",  "ATTEMPT",  "CA_FILE",           "CONFIG", "IDEMPOTENCY_KEY", "INSTANCE_ID",
    "JOB_ID",   "JOB_TYPE", "RETRIES_REMAINING", "SERVER", "STEP_ID",         "VERSION",
    "WORKSPACE"};
constexpr std::string_view kOfTests = "TEST_";

// MILLRACE_SERVICE_HOST, MILLRACE_PORT, MILLRACE_PORT_8080_TCP_ADDR and more, also of a service
// millrace-something.
bool is_of_kubernetes(std::string_view rest) {
    return rest == "PORT" || rest.ends_with("_PORT") || rest.find("SERVICE_HOST") != rest.npos ||
           rest.find("SERVICE_PORT") != rest.npos || rest.find("_TCP") != rest.npos ||
           rest.find("_UDP") != rest.npos;
}

bool is_setting(std::string_view name) {
    return std::ranges::any_of(settings(), [name](const Setting& setting) {
        if (name == setting.environment) return true;
        return setting.is_secret && name == std::string(setting.environment) + "_FILE";
    });
}

bool is_known(std::string_view name) {
    if (!name.starts_with(kPrefix)) return true;
    const std::string_view rest = name.substr(kPrefix.size());
    return std::ranges::find(kElsewhere, rest) != kElsewhere.end() || rest.starts_with(kOfTests) ||
           is_of_kubernetes(rest) || is_setting(name);
}

}  // namespace

std::vector<std::string> unknown_variables(std::vector<std::string> names) {
    std::erase_if(names, is_known);
    std::ranges::sort(names);
    return names;
}

}  // namespace millrace
