#include <algorithm>

#include "config/hide_password.hpp"
#include "config/setting_groups.hpp"
#include "config/setting_values.hpp"

namespace millrace::config {

namespace {

constexpr std::string_view kTemporalKey = "temporal.";
constexpr std::size_t kTargetNameBytesMax = 63;

// What can be said of a target. Flag and variable are those of the default one.
struct TargetField {
    std::string_view key{};
    std::string_view flag{};
    std::string_view environment{};
    std::string_view description{};
    std::string_view expects{};
    std::string TemporalSettings::*member = nullptr;
};

constexpr TargetField kFields[] = {
    {.key = "address",
     .flag = "--temporal-address",
     .environment = "MILLRACE_TEMPORAL_ADDRESS",
     .description = "HOST:PORT of the Temporal cluster for definitions that name no target",
     .expects = "HOST:PORT",
     .member = &TemporalSettings::address},
    {.key = "namespace",
     .flag = "--temporal-namespace",
     .environment = "MILLRACE_TEMPORAL_NAMESPACE",
     .description = "Its namespace, where a definition names none; default when empty",
     .expects = "a name",
     .member = &TemporalSettings::name_space},
    {.key = "taskQueue",
     .flag = "--temporal-task-queue",
     .environment = "MILLRACE_TEMPORAL_TASK_QUEUE",
     .description = "Its task queue, where a definition names none",
     .expects = "a name",
     .member = &TemporalSettings::task_queue},
    {.key = "tls.ca",
     .flag = "--temporal-tls-ca",
     .environment = "MILLRACE_TEMPORAL_TLS_CA",
     .description = "PEM file: who may sign the cluster's certificate",
     .expects = kPath,
     .member = &TemporalSettings::ca},
    {.key = "tls.certificate",
     .flag = "--temporal-tls-certificate",
     .environment = "MILLRACE_TEMPORAL_TLS_CERTIFICATE",
     .description = "PEM file: the certificate that this server shows to the cluster",
     .expects = kPath,
     .member = &TemporalSettings::certificate},
    {.key = "tls.key",
     .flag = "--temporal-tls-key",
     .environment = "MILLRACE_TEMPORAL_TLS_KEY",
     .description = "PEM file: the private key of that certificate",
     .expects = kPath,
     .member = &TemporalSettings::key},
    {.key = "tls.serverName",
     .flag = "--temporal-tls-server-name",
     .environment = "MILLRACE_TEMPORAL_TLS_SERVER_NAME",
     .description = "The name that the cluster's certificate must be for",
     .expects = "a name",
     .member = &TemporalSettings::server_name},
    {.key = "apiKey",
     .flag = "--temporal-api-key",
     .environment = "MILLRACE_TEMPORAL_API_KEY",
     .description = "The key that the cluster knows this server by",
     .expects = "a key",
     .member = &TemporalSettings::api_key},
};

// A name, an IPv4 address, or an IPv6 address in brackets; then a port.
bool is_address(std::string_view text) {
    const std::size_t colon = text.rfind(':');
    if (colon == std::string_view::npos || colon == 0) return false;
    std::uint16_t port = 0;
    if (!parse_integer<std::uint16_t>(text.substr(colon + 1), 1, 65535, port)) return false;
    const std::string_view host = text.substr(0, colon);
    const bool is_bracketed = host.size() > 2 && host.starts_with('[') && host.ends_with(']');
    return is_bracketed || host.find_first_of(":/@[] \t") == std::string_view::npos;
}

// One line of characters that a header or a request can carry.
bool is_line(std::string_view text) {
    return std::ranges::none_of(
        text, [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7F; });
}

bool fits(const TargetField& field, std::string_view value) {
    return field.member == &TemporalSettings::address ? is_address(value) : is_line(value);
}

Setting setting_of(const TargetField& field, const std::string& name) {
    const bool is_default = name == kDefaultTarget;
    const auto member = field.member;
    const bool is_secret = member == &TemporalSettings::api_key;
    return {
        .key = std::string(kTemporalKey) + name + "." + std::string(field.key),
        .flag = is_default ? field.flag : "",
        .environment = is_default ? field.environment : "",
        .description = field.description,
        .expects = field.expects,
        .is_secret = is_secret,
        .hide = is_secret ? hide_all : nullptr,
        .set =
            [&field, name](ServerConfig& config, const std::string& value) {
                config.temporal[name].*field.member = value;
                return fits(field, value);
            },
        .get =
            [name, member](const ServerConfig& config) {
                const auto found = config.temporal.find(name);
                return found == config.temporal.end() ? "" : found->second.*member;
            },
    };
}

}  // namespace

bool is_target_name(std::string_view name) {
    const auto is_letter_or_digit = [](char c) {
        return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
    };
    const auto fits = [&](char c) {
        return is_letter_or_digit(c) || c == '_' || c == '-';
    };
    return !name.empty() && name.size() <= kTargetNameBytesMax &&
           is_letter_or_digit(name.front()) && std::ranges::all_of(name, fits);
}

std::vector<Setting> temporal_settings() {
    return settings_of_target(kDefaultTarget);
}

std::optional<Setting> setting_of_target(std::string_view key) {
    if (!key.starts_with(kTemporalKey)) return std::nullopt;
    const std::string_view rest = key.substr(kTemporalKey.size());
    const std::size_t dot = rest.find('.');
    if (dot == std::string_view::npos) return std::nullopt;
    const auto field = std::ranges::find(kFields, rest.substr(dot + 1), &TargetField::key);
    if (field == std::end(kFields)) return std::nullopt;
    return setting_of(*field, std::string(rest.substr(0, dot)));
}

std::vector<Setting> settings_of_target(std::string_view name) {
    std::vector<Setting> all;
    for (const TargetField& field : kFields) all.push_back(setting_of(field, std::string(name)));
    return all;
}

}  // namespace millrace::config
