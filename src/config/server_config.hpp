#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "config/queue_config.hpp"

namespace millrace {

// Who may use the API, over REST and gRPC: everybody who reaches it, or holders of API keys.
enum class AuthMode { none, keys };

// PEM files that make a listener speak TLS. Both or neither.
struct TlsFiles {
    std::string certificate{};
    std::string key{};

    friend bool operator==(const TlsFiles&, const TlsFiles&) = default;
};

// What clients of the REST API and of gRPC show, where they are asked for certificates.
struct ClientTls {
    std::string ca{};  // PEM file: who may sign their certificates. Empty: they are not asked.
    bool is_required = false;

    friend bool operator==(const ClientTls&, const ClientTls&) = default;
};

// Whom a client's certificate stands for.
struct ClientSettings {
    std::string certificate{};  // uri:…, dns:… or cn:…, as it stands in the certificate.
    std::string role{};
    std::string workspace{};  // Empty: the whole cluster.

    friend bool operator==(const ClientSettings&, const ClientSettings&) = default;
};

// What happens at start to a store whose schema is older than this program.
enum class MigrateMode { automatic, check };

// How PostgreSQL is used. Without effect on the embedded store.
struct PostgresSettings {
    // False behind a pooler that gives each transaction another connection of its own.
    bool prepared_statements = true;
    // A connection string past such a pooler, for the connection that waits for hints.
    std::string listen_url{};
    std::chrono::seconds statement_timeout{30};
    std::chrono::seconds lock_timeout{1};
    int committers = 2;

    friend bool operator==(const PostgresSettings&, const PostgresSettings&) = default;
};

// Where spans go. Without an endpoint nowhere.
struct TracingConfig {
    std::string endpoint{};  // http or https, the base of /v1/traces.
    std::string headers{};   // name=value,name=value; may be secret.
    double sample_ratio = 1;
    std::string service_name = "millrace";
    std::string ca_file{};  // PEM. Empty: the certificates that the system trusts.

    friend bool operator==(const TracingConfig&, const TracingConfig&) = default;
};

// As core/limits.hpp has it; src/server compares the two.
inline constexpr int kCommandWorkDefault = 200'000;

// How `millrace serve` runs. The defaults make a useful server for one machine.
struct ServerConfig {
    // sqlite:PATH, or a PostgreSQL connection string: a URL or libpq's keywords.
    std::string store = "sqlite:millrace-data/millrace.db";
    PostgresSettings postgres{};
    MigrateMode migrate = MigrateMode::automatic;
    // Empty: every loopback address of this machine.
    std::string listen_address{};
    std::uint16_t rest_port = 8080;
    std::optional<std::uint16_t> grpc_port = 9090;  // Empty: no gRPC.
    std::uint16_t metrics_port = 9091;
    AuthMode auth = AuthMode::none;
    // Without authentication another address than loopback must be asked for twice.
    bool is_insecure = false;
    TlsFiles tls{};
    ClientTls client_tls{};
    std::map<std::string, ClientSettings> clients{};  // By name.
    TlsFiles metrics_tls{};
    bool audit = true;
    // How long finished instances and audit entries are kept: rules as RetentionRules reads them.
    std::string retention = "keep";
    std::string audit_retention = "keep";
    QueueSettings queue{};
    // The work that one command may take, in units: about five milliseconds.
    int command_work_max = kCommandWorkDefault;
    std::map<std::string, PlanSettings> plans = default_plan_settings();  // By name.
    std::map<std::string, TemporalSettings> temporal{};                   // By target.
    std::string log_level = "info";
    std::string log_format = "auto";
    TracingConfig tracing{};
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
