#include <algorithm>

#include "config/setting_groups.hpp"

namespace millrace::config {

namespace {

constexpr std::string_view kClientsKey = "clients.";

bool is_role(std::string_view text) {
    return text == "viewer" || text == "worker" || text == "operator" || text == "admin";
}

// [a-z0-9][a-z0-9-]{0,62}, as workspaces are called.
bool is_workspace_name(std::string_view text) {
    const auto fits = [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-';
    };
    return !text.empty() && text.size() <= 63 && text.front() != '-' &&
           std::ranges::all_of(text, fits);
}

// What can be said of a client.
struct ClientField {
    std::string_view key{};
    std::string_view description{};
    std::string_view expects{};
    std::string ClientSettings::*member = nullptr;
    bool (*fits)(std::string_view value) = nullptr;
};

constexpr ClientField kClientFields[] = {
    {.key = "certificate",
     .description = "A name in its certificate: uri:…, dns:… or cn:…",
     .expects = "uri:, dns: or cn: and a name of the certificate after it",
     .member = &ClientSettings::certificate,
     .fits = is_certificate_name},
    {.key = "role",
     .description = "What it may do",
     .expects = "viewer, worker, operator or admin",
     .member = &ClientSettings::role,
     .fits = is_role},
    {.key = "workspace",
     .description = "Where it may do that; without it in the whole cluster",
     .expects = "a workspace of up to 63 lower-case letters, digits and hyphens",
     .member = &ClientSettings::workspace,
     .fits = is_workspace_name},
};

Setting client_setting(const ClientField& field, const std::string& name) {
    return {
        .key = std::string(kClientsKey) + name + "." + std::string(field.key),
        .description = field.description,
        .expects = field.expects,
        .set =
            [&field, name](ServerConfig& config, const std::string& value) {
                config.clients[name].*field.member = value;
                return field.fits(value);
            },
        .get =
            [&field, name](const ServerConfig& config) {
                const auto found = config.clients.find(name);
                return found == config.clients.end() ? "" : found->second.*field.member;
            },
    };
}

}  // namespace

bool is_client_name(std::string_view name) {
    return is_target_name(name);
}

bool is_certificate_name(std::string_view text) {
    return std::ranges::any_of(std::initializer_list<std::string_view>{"uri:", "dns:", "cn:"},
                               [text](std::string_view kind) {
                                   return text.starts_with(kind) && text.size() > kind.size();
                               });
}

std::optional<Setting> setting_of_client(std::string_view key) {
    if (!key.starts_with(kClientsKey)) return std::nullopt;
    const std::string_view rest = key.substr(kClientsKey.size());
    const std::size_t dot = rest.find('.');
    if (dot == std::string_view::npos) return std::nullopt;
    const auto field = std::ranges::find(kClientFields, rest.substr(dot + 1), &ClientField::key);
    if (field == std::end(kClientFields)) return std::nullopt;
    return client_setting(*field, std::string(rest.substr(0, dot)));
}

std::vector<Setting> settings_of_client(std::string_view name) {
    std::vector<Setting> all;
    for (const ClientField& field : kClientFields) {
        all.push_back(client_setting(field, std::string(name)));
    }
    return all;
}

}  // namespace millrace::config
