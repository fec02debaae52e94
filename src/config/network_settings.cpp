#include "config/setting_groups.hpp"
#include "config/setting_values.hpp"

namespace millrace::config {

namespace {

constexpr std::string_view kPort = "a port from 0 to 65535";

bool set_store(ServerConfig& config, const std::string& value) {
    config.store = value;
    return value.starts_with("sqlite:") ? value != "sqlite:" : is_postgres(value);
}

constexpr std::string_view kOff = "off";

bool set_grpc_port(ServerConfig& config, const std::string& value) {
    std::uint16_t port = 0;
    const bool is_port = parse_integer<std::uint16_t>(value, 0, 65535, port);
    config.grpc_port = is_port ? std::optional(port) : std::nullopt;
    return is_port || value == kOff;
}

std::string get_grpc_port(const ServerConfig& config) {
    return config.grpc_port ? std::to_string(*config.grpc_port) : std::string(kOff);
}

}  // namespace

std::vector<Setting> network_settings() {
    return {
        {.key = "store",
         .key_synonym = "postgresDSN",
         .flag = "--store",
         .environment = "MILLRACE_STORE",
         .synonym = "WE_POSTGRES_DSN",
         .description = "Where state lives: sqlite:PATH, or a PostgreSQL URL or keyword string",
         .expects = "sqlite:PATH, a URL like postgres://HOST/DATABASE, or keywords like host=…",
         .is_secret = true,
         .set = set_store,
         .get = get_text<&ServerConfig::store>},
        {.key = "listen",
         .flag = "--listen",
         .environment = "MILLRACE_LISTEN",
         .description = "The address to listen on; every loopback address when empty",
         .expects = "an address",
         .set = set_text<&ServerConfig::listen_address>,
         .get = get_text<&ServerConfig::listen_address>},
        {.key = "restPort",
         .flag = "--rest-port",
         .environment = "MILLRACE_REST_PORT",
         .synonym = "WE_REST_PORT",
         .description = "Port of the REST API; 0 takes a free one, the log says which",
         .expects = kPort,
         .kind = SettingKind::number,
         .set = set_port<&ServerConfig::rest_port>,
         .get = get_integer<&ServerConfig::rest_port>},
        {.key = "grpcPort",
         .flag = "--grpc-port",
         .environment = "MILLRACE_GRPC_PORT",
         .synonym = "WE_GRPC_PORT",
         .description = "Port of gRPC; 0 takes a free one, off is for none",
         .expects = "a port from 0 to 65535, or off",
         .kind = SettingKind::number,
         .set = set_grpc_port,
         .get = get_grpc_port},
        {.key = "metricsPort",
         .flag = "--metrics-port",
         .environment = "MILLRACE_METRICS_PORT",
         .synonym = "WE_METRICS_PORT",
         .description = "Port of the Prometheus metrics",
         .expects = kPort,
         .kind = SettingKind::number,
         .set = set_port<&ServerConfig::metrics_port>,
         .get = get_integer<&ServerConfig::metrics_port>},
    };
}

}  // namespace millrace::config
