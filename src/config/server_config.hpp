#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"

namespace millrace {

// How `millrace serve` runs. The defaults make a useful server for one machine.
struct ServerConfig {
    // sqlite:PATH, or a PostgreSQL connection string: a URL or libpq's keywords.
    std::string store = "sqlite:millrace-data/millrace.db";
    // Empty: every loopback address of this machine.
    std::string listen_address{};
    std::uint16_t rest_port = 8080;
    std::uint16_t metrics_port = 9091;
    // There is no authentication yet, so another address than loopback must be asked for twice.
    bool is_insecure = false;
    std::string log_level = "info";
    std::string log_format = "auto";
    int thread_count = 2;  // That read and write HTTP.

    friend bool operator==(const ServerConfig&, const ServerConfig&) = default;
};

// One setting: its names in every place it can be given, and how it is set.
struct Setting {
    std::string_view flag{};         // --rest-port
    std::string_view environment{};  // MILLRACE_REST_PORT
    std::string_view synonym{};      // WE_REST_PORT; empty for none.
    std::string_view description{};
    bool is_switch = false;
    // False when the value does not fit.
    bool (*set)(ServerConfig& config, const std::string& value) = nullptr;
};

const std::vector<Setting>& settings();

using Environment = std::function<std::optional<std::string>(std::string_view name)>;

// Flags win over MILLRACE_* variables, those over their synonyms, those over defaults. An empty
// variable is an unset one. invalid_argument names every unknown flag and every bad value.
Result<ServerConfig> read_config(const std::vector<std::string>& arguments,
                                 const Environment& environment);

// The text of `millrace serve --help`.
std::string config_help();

bool is_sqlite(const ServerConfig& config);
// The path behind sqlite:.
std::string sqlite_path(const ServerConfig& config);

}  // namespace millrace
