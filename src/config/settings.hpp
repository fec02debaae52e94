#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "config/server_config.hpp"

namespace millrace {

enum class SettingKind { text, number, boolean };

// One setting: its names in every place it can be given, and how it is set and read. The flag, the
// variable and the key of a secret have a twin that names a file with the value: --store-file,
// MILLRACE_STORE_FILE, storeFile.
struct Setting {
    std::string key{};               // restPort; a dot leads into a map: tls.certificate.
    std::string_view key_synonym{};  // The key in files of the reference, where it differs.
    std::string_view flag{};         // --rest-port
    std::string_view environment{};  // MILLRACE_REST_PORT
    std::string_view synonym{};      // WE_REST_PORT
    std::string_view synonym_too{};  // A second one, which wins over the first.
    std::string_view description{};
    std::string_view expects{};  // What fits, for whoever gave something else.
    SettingKind kind = SettingKind::text;
    bool is_secret = false;
    // The value with all that is secret in it as ***. A secret without this is a connection string.
    std::string (*hide)(std::string_view value) = nullptr;
    // False when the value does not fit.
    std::function<bool(ServerConfig& config, const std::string& value)> set{};
    // As set takes it.
    std::function<std::string(const ServerConfig& config)> get{};
};

// All that have a fixed name, in the order of every page that lists them.
const std::vector<Setting>& settings();

// The setting that a key of the file means. It may be one of them, by either name, or one inside a
// map whose names are the operator's: plans.PRO.maxActive, temporal.eu.address.
std::optional<Setting> find_setting(std::string_view key);

// Those of such maps that a configuration has, for whoever prints it after settings(), whose last
// map is that of the targets. Plans are not among them:
// they are one text, too.
std::vector<Setting> named_settings(const ServerConfig& config);

// A name that means something to other servers of this protocol and nothing here.
struct ForeignSetting {
    std::string_view key{};
    std::string_view environment{};
    std::string_view reason{};
};

const std::vector<ForeignSetting>& foreign_settings();

}  // namespace millrace
