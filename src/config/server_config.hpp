#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

namespace millrace {

// Who may use the REST API: everybody who reaches it, or holders of API keys.
enum class AuthMode { none, keys };

// PEM files that make a listener speak TLS. Both or neither.
struct TlsFiles {
    std::string certificate{};
    std::string key{};

    friend bool operator==(const TlsFiles&, const TlsFiles&) = default;
};

// How `millrace serve` runs. The defaults make a useful server for one machine.
struct ServerConfig {
    // sqlite:PATH, or a PostgreSQL connection string: a URL or libpq's keywords.
    std::string store = "sqlite:millrace-data/millrace.db";
    // Empty: every loopback address of this machine.
    std::string listen_address{};
    std::uint16_t rest_port = 8080;
    std::uint16_t metrics_port = 9091;
    AuthMode auth = AuthMode::none;
    // Without authentication another address than loopback must be asked for twice.
    bool is_insecure = false;
    TlsFiles tls{};
    TlsFiles metrics_tls{};
    bool audit = true;
    std::string log_level = "info";
    std::string log_format = "auto";
    int thread_count = 2;  // That read and write HTTP.
    // How long requests under way may take to end when the server stops.
    std::chrono::seconds shutdown_patience{10};
    // What was given and has no effect here, as sentences for the log.
    std::vector<std::string> warnings{};

    friend bool operator==(const ServerConfig&, const ServerConfig&) = default;
};

bool is_sqlite(const ServerConfig& config);
// The path behind sqlite:.
std::string sqlite_path(const ServerConfig& config);

}  // namespace millrace
