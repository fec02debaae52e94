#pragma once

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
    std::string_view key{};          // restPort; a dot leads into a map: tls.certificate.
    std::string_view key_synonym{};  // The key in files of the reference, where it differs.
    std::string_view flag{};         // --rest-port
    std::string_view environment{};  // MILLRACE_REST_PORT
    std::string_view synonym{};      // WE_REST_PORT
    std::string_view synonym_too{};  // A second one, which wins over the first.
    std::string_view description{};
    std::string_view expects{};  // What fits, for whoever gave something else.
    SettingKind kind = SettingKind::text;
    bool is_secret = false;
    // Of a secret that is no connection string: the value with all that is secret in it as ***.
    std::string (*hide)(std::string_view value) = nullptr;
    // False when the value does not fit.
    bool (*set)(ServerConfig& config, const std::string& value) = nullptr;
    // As set takes it.
    std::string (*get)(const ServerConfig& config) = nullptr;
};

// All of them, in the order of every page that lists them. The only place that knows.
const std::vector<Setting>& settings();

// A name that means something to other servers of this protocol and nothing here.
struct ForeignSetting {
    std::string_view key{};
    std::string_view environment{};
    std::string_view reason{};
};

const std::vector<ForeignSetting>& foreign_settings();

}  // namespace millrace
