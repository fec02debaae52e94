#include "config/server_config.hpp"

#include <algorithm>
#include <charconv>

namespace millrace {

namespace {

constexpr std::string_view kSqlitePrefix = "sqlite:";

template <class Integer>
bool parse_integer(const std::string& text, Integer min, Integer max, Integer& out) {
    Integer number{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc{} || end != text.data() + text.size()) return false;
    if (number < min || number > max) return false;
    out = number;
    return true;
}

bool parse_port(const std::string& text, std::uint16_t& port) {
    return parse_integer<std::uint16_t>(text, 0, 65535, port);
}

bool one_of(const std::string& text, std::initializer_list<std::string_view> choices,
            std::string& out) {
    if (std::ranges::find(choices, text) == choices.end()) return false;
    out = text;
    return true;
}

bool set_store(ServerConfig& config, const std::string& value) {
    const bool is_postgres = value.starts_with("postgres://") ||
                             value.starts_with("postgresql://") ||
                             value.find('=') != std::string::npos;
    const bool is_file = value.starts_with(kSqlitePrefix) && value.size() > kSqlitePrefix.size();
    config.store = value;
    return is_file || is_postgres;
}

std::string problem(std::string_view name, const std::string& value) {
    return std::string(name) + ": \"" + value + "\" is not a value it takes";
}

// Only the other dispatch mode is a value that a server of this kind cannot take.
void check_dispatch_mode(const Environment& environment, std::vector<ErrorDetail>& problems) {
    const std::string mode = environment("WE_DISPATCH_MODE").value_or("");
    if (mode.empty() || mode == "polling") return;
    problems.push_back(
        {"WE_DISPATCH_MODE", problem("WE_DISPATCH_MODE", mode) + "; only polling is"});
}

void read_environment(const Environment& environment, ServerConfig& config,
                      std::vector<ErrorDetail>& problems) {
    for (const Setting& setting : settings()) {
        for (const std::string_view name : {setting.synonym, setting.environment}) {
            if (name.empty()) continue;
            const std::optional<std::string> value = environment(name);
            if (!value || value->empty()) continue;
            if (!setting.set(config, *value)) {
                problems.push_back({std::string(name), problem(name, *value)});
            }
        }
    }
    check_dispatch_mode(environment, problems);
}

void read_arguments(const std::vector<std::string>& arguments, ServerConfig& config,
                    std::vector<ErrorDetail>& problems) {
    for (std::size_t i = 0; i < arguments.size(); ++i) {
        const std::size_t equals = arguments[i].find('=');
        const std::string flag = arguments[i].substr(0, equals);
        const auto setting = std::ranges::find(settings(), flag, &Setting::flag);
        if (setting == settings().end()) {
            problems.push_back({flag, flag + ": there is no such option"});
            continue;
        }
        std::string value = "true";
        if (equals != std::string::npos) {
            value = arguments[i].substr(equals + 1);
        } else if (!setting->is_switch) {
            if (i + 1 == arguments.size()) {
                problems.push_back({flag, flag + ": a value is missing"});
                continue;
            }
            value = arguments[++i];
        }
        if (!setting->set(config, value)) problems.push_back({flag, problem(flag, value)});
    }
}

}  // namespace

const std::vector<Setting>& settings() {
    static const std::vector<Setting> kSettings = {
        {"--store", "MILLRACE_STORE", "WE_POSTGRES_DSN",
         "Where state lives: sqlite:PATH or a PostgreSQL URL", false, set_store},
        {"--listen", "MILLRACE_LISTEN", "", "The address to listen on (default: loopback)", false,
         [](ServerConfig& config, const std::string& value) {
             config.listen_address = value;
             return !value.empty();
         }},
        {"--rest-port", "MILLRACE_REST_PORT", "WE_REST_PORT", "Port of the REST API (8080)", false,
         [](ServerConfig& config, const std::string& value) {
             return parse_port(value, config.rest_port);
         }},
        {"--metrics-port", "MILLRACE_METRICS_PORT", "WE_METRICS_PORT",
         "Port of the Prometheus metrics (9091)", false,
         [](ServerConfig& config, const std::string& value) {
             return parse_port(value, config.metrics_port);
         }},
        {"--insecure", "MILLRACE_INSECURE", "",
         "Listen beyond loopback although there is no authentication", true,
         [](ServerConfig& config, const std::string& value) {
             config.is_insecure = value == "true" || value == "1";
             return config.is_insecure || value == "false" || value == "0";
         }},
        {"--log-level", "MILLRACE_LOG_LEVEL", "WE_LOG_LEVEL", "debug, info, warn or error", false,
         [](ServerConfig& config, const std::string& value) {
             return one_of(value, {"debug", "info", "warn", "error"}, config.log_level);
         }},
        {"--log-format", "MILLRACE_LOG_FORMAT", "", "auto, json or text", false,
         [](ServerConfig& config, const std::string& value) {
             return one_of(value, {"auto", "json", "text"}, config.log_format);
         }},
        {"--threads", "MILLRACE_THREADS", "", "Threads that serve HTTP (2)", false,
         [](ServerConfig& config, const std::string& value) {
             return parse_integer(value, 1, 64, config.thread_count);
         }},
    };
    return kSettings;
}

Result<ServerConfig> read_config(const std::vector<std::string>& arguments,
                                 const Environment& environment) {
    ServerConfig config;
    std::vector<ErrorDetail> problems;
    read_environment(environment, config, problems);
    read_arguments(arguments, config, problems);
    if (problems.empty()) return config;

    std::string text = "The configuration cannot be used:";
    for (const ErrorDetail& each : problems) text += "\n  " + each.message;
    return Error{ErrorCode::invalid_argument, text, problems};
}

std::string config_help() {
    std::string text =
        "Usage: millrace serve [OPTIONS]\n\nStarts a server. Options, each with the environment "
        "variable that does the same:\n";
    for (const Setting& setting : settings()) {
        std::string line = "  " + std::string(setting.flag) + (setting.is_switch ? "" : " VALUE");
        line.resize(std::max<std::size_t>(line.size() + 1, 24), ' ');
        text += line + std::string(setting.description) + "\n" + std::string(24, ' ') +
                std::string(setting.environment);
        if (!setting.synonym.empty()) text += ", " + std::string(setting.synonym);
        text += "\n";
    }
    return text;
}

bool is_sqlite(const ServerConfig& config) {
    return config.store.starts_with(kSqlitePrefix);
}

std::string sqlite_path(const ServerConfig& config) {
    return config.store.substr(kSqlitePrefix.size());
}

}  // namespace millrace
