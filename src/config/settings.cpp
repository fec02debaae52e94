#include "config/settings.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <initializer_list>

#include "config/hide_password.hpp"

namespace millrace {

namespace {

using enum SettingKind;

constexpr int kThreadsMax = 64;
constexpr int kShutdownSecondsMax = 3600;
constexpr int kDatabaseSecondsMax = 600;
constexpr int kCommittersMax = 16;
constexpr std::string_view kPort = "a port from 0 to 65535";
constexpr std::string_view kBoolean = "true or false";
constexpr std::string_view kPath = "the path of a file";

template <class Integer>
bool parse_integer(const std::string& text, Integer min, Integer max, Integer& out) {
    Integer number{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc{} || end != text.data() + text.size()) return false;
    if (number < min || number > max) return false;
    out = number;
    return true;
}

bool parse_boolean(std::string text, bool& out) {
    std::ranges::transform(text, text.begin(), [](char c) {
        return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    });
    constexpr std::array<std::string_view, 5> kTrue{"true", "t", "1", "yes", "on"};
    constexpr std::array<std::string_view, 5> kFalse{"false", "f", "0", "no", "off"};
    out = std::ranges::find(kTrue, text) != kTrue.end();
    return out || std::ranges::find(kFalse, text) != kFalse.end();
}

bool one_of(const std::string& text, std::initializer_list<std::string_view> choices,
            std::string& out) {
    if (std::ranges::find(choices, text) == choices.end()) return false;
    out = text;
    return true;
}

// A URL or keywords, as libpq takes them.
bool is_postgres(const std::string& value) {
    const bool is_url = value.starts_with("postgres://") || value.starts_with("postgresql://");
    const bool is_foreign_url = value.find("://") < value.find('=');
    return is_url || (!is_foreign_url && value.find('=') != std::string::npos);
}

bool set_store(ServerConfig& config, const std::string& value) {
    config.store = value;
    const bool is_file = value.starts_with("sqlite:");
    return is_file ? value != "sqlite:" : is_postgres(value);
}

bool set_auth(ServerConfig& config, const std::string& value) {
    config.auth = value == "keys" ? AuthMode::keys : AuthMode::none;
    return value == "keys" || value == "none";
}

bool set_migrate(ServerConfig& config, const std::string& value) {
    config.migrate = value == "check" ? MigrateMode::check : MigrateMode::automatic;
    return value == "check" || value == "auto";
}

template <auto member>
bool set_database_seconds(ServerConfig& config, const std::string& value) {
    int seconds = 0;
    if (!parse_integer(value, 1, kDatabaseSecondsMax, seconds)) return false;
    config.postgres.*member = std::chrono::seconds(seconds);
    return true;
}

template <auto member>
std::string get_database_seconds(const ServerConfig& config) {
    return std::to_string((config.postgres.*member).count());
}

bool set_shutdown_patience(ServerConfig& config, const std::string& value) {
    int seconds = 0;
    if (!parse_integer(value, 0, kShutdownSecondsMax, seconds)) return false;
    config.shutdown_patience = std::chrono::seconds(seconds);
    return true;
}

// What most members need; `member` names one of ServerConfig.
template <auto member>
bool set_text(ServerConfig& config, const std::string& value) {
    config.*member = value;
    return true;
}

template <auto member>
std::string get_text(const ServerConfig& config) {
    return config.*member;
}

template <auto member>
bool set_port(ServerConfig& config, const std::string& value) {
    return parse_integer<std::uint16_t>(value, 0, 65535, config.*member);
}

template <auto member>
std::string get_number(const ServerConfig& config) {
    return std::to_string(config.*member);
}

template <auto member>
bool set_boolean(ServerConfig& config, const std::string& value) {
    return parse_boolean(value, config.*member);
}

template <auto member>
std::string get_boolean(const ServerConfig& config) {
    return config.*member ? "true" : "false";
}

template <auto files, auto member>
bool set_file(ServerConfig& config, const std::string& value) {
    (config.*files).*member = value;
    return true;
}

template <auto files, auto member>
std::string get_file(const ServerConfig& config) {
    return (config.*files).*member;
}

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
         .kind = number,
         .set = set_port<&ServerConfig::rest_port>,
         .get = get_number<&ServerConfig::rest_port>},
        {.key = "metricsPort",
         .flag = "--metrics-port",
         .environment = "MILLRACE_METRICS_PORT",
         .synonym = "WE_METRICS_PORT",
         .description = "Port of the Prometheus metrics",
         .expects = kPort,
         .kind = number,
         .set = set_port<&ServerConfig::metrics_port>,
         .get = get_number<&ServerConfig::metrics_port>},
    };
}

std::vector<Setting> postgres_settings() {
    constexpr std::string_view kSeconds = "seconds from 1 to 600";
    return {
        {.key = "postgres.preparedStatements",
         .flag = "--postgres-prepared-statements",
         .environment = "MILLRACE_POSTGRES_PREPARED_STATEMENTS",
         .description = "False behind PgBouncer or another pooler that pools transactions",
         .expects = kBoolean,
         .kind = boolean,
         .set =
             [](ServerConfig& config, const std::string& value) {
                 return parse_boolean(value, config.postgres.prepared_statements);
             },
         .get = [](const ServerConfig& config) -> std::string {
             return config.postgres.prepared_statements ? "true" : "false";
         }},
        {.key = "postgres.listenUrl",
         .flag = "--postgres-listen-url",
         .environment = "MILLRACE_POSTGRES_LISTEN_URL",
         .description = "A connection past such a pooler, on which servers hear of each other",
         .expects = "a URL like postgres://HOST/DATABASE, or keywords like host=…",
         .is_secret = true,
         .set =
             [](ServerConfig& config, const std::string& value) {
                 config.postgres.listen_url = value;
                 return is_postgres(value);
             },
         .get =
             [](const ServerConfig& config) {
                 return config.postgres.listen_url;
             }},
        {.key = "postgres.statementTimeoutSeconds",
         .flag = "--postgres-statement-timeout-seconds",
         .environment = "MILLRACE_POSTGRES_STATEMENT_TIMEOUT_SECONDS",
         .description = "How long one statement may take",
         .expects = kSeconds,
         .kind = number,
         .set = set_database_seconds<&PostgresSettings::statement_timeout>,
         .get = get_database_seconds<&PostgresSettings::statement_timeout>},
        {.key = "postgres.lockTimeoutSeconds",
         .flag = "--postgres-lock-timeout-seconds",
         .environment = "MILLRACE_POSTGRES_LOCK_TIMEOUT_SECONDS",
         .description = "How long one statement may wait for a lock",
         .expects = kSeconds,
         .kind = number,
         .set = set_database_seconds<&PostgresSettings::lock_timeout>,
         .get = get_database_seconds<&PostgresSettings::lock_timeout>},
        {.key = "postgres.committers",
         .flag = "--postgres-committers",
         .environment = "MILLRACE_POSTGRES_COMMITTERS",
         .description = "Connections that write, 1 to 16",
         .expects = "a number from 1 to 16",
         .kind = number,
         .set =
             [](ServerConfig& config, const std::string& value) {
                 return parse_integer(value, 1, kCommittersMax, config.postgres.committers);
             },
         .get =
             [](const ServerConfig& config) {
                 return std::to_string(config.postgres.committers);
             }},
        {.key = "migrate",
         .flag = "--migrate",
         .environment = "MILLRACE_MIGRATE",
         .description = "auto: bring the schema up to date at start; check: refuse an older one",
         .expects = "auto or check",
         .set = set_migrate,
         .get = [](const ServerConfig& config) -> std::string {
             return config.migrate == MigrateMode::check ? "check" : "auto";
         }},
    };
}

std::vector<Setting> access_settings() {
    return {
        {.key = "auth",
         .flag = "--auth",
         .environment = "MILLRACE_AUTH",
         .description = "Who may use the REST API: none (everybody who reaches it) or keys",
         .expects = "none or keys",
         .set = set_auth,
         .get = [](const ServerConfig& config) -> std::string {
             return config.auth == AuthMode::keys ? "keys" : "none";
         }},
        {.key = "insecure",
         .flag = "--insecure",
         .environment = "MILLRACE_INSECURE",
         .description = "Listen beyond loopback although there is no authentication",
         .expects = kBoolean,
         .kind = boolean,
         .set = set_boolean<&ServerConfig::is_insecure>,
         .get = get_boolean<&ServerConfig::is_insecure>},
        {.key = "tls.certificate",
         .flag = "--tls-certificate",
         .environment = "MILLRACE_TLS_CERTIFICATE",
         .description = "PEM file: the certificate of the REST API, and those above it",
         .expects = kPath,
         .set = set_file<&ServerConfig::tls, &TlsFiles::certificate>,
         .get = get_file<&ServerConfig::tls, &TlsFiles::certificate>},
        {.key = "tls.key",
         .flag = "--tls-key",
         .environment = "MILLRACE_TLS_KEY",
         .description = "PEM file: the private key of that certificate",
         .expects = kPath,
         .set = set_file<&ServerConfig::tls, &TlsFiles::key>,
         .get = get_file<&ServerConfig::tls, &TlsFiles::key>},
        {.key = "metricsTls.certificate",
         .flag = "--metrics-tls-certificate",
         .environment = "MILLRACE_METRICS_TLS_CERTIFICATE",
         .description = "PEM file: the certificate of the metrics, and those above it",
         .expects = kPath,
         .set = set_file<&ServerConfig::metrics_tls, &TlsFiles::certificate>,
         .get = get_file<&ServerConfig::metrics_tls, &TlsFiles::certificate>},
        {.key = "metricsTls.key",
         .flag = "--metrics-tls-key",
         .environment = "MILLRACE_METRICS_TLS_KEY",
         .description = "PEM file: the private key of that certificate",
         .expects = kPath,
         .set = set_file<&ServerConfig::metrics_tls, &TlsFiles::key>,
         .get = get_file<&ServerConfig::metrics_tls, &TlsFiles::key>},
        {.key = "audit",
         .key_synonym = "auditLogEnabled",
         .flag = "--audit",
         .environment = "MILLRACE_AUDIT",
         .synonym = "WE_AUDIT_LOG_ENABLED",
         .description = "Keep who did what",
         .expects = kBoolean,
         .kind = boolean,
         .set = set_boolean<&ServerConfig::audit>,
         .get = get_boolean<&ServerConfig::audit>},
    };
}

template <auto member>
bool set_tracing(ServerConfig& config, const std::string& value) {
    config.tracing.*member = value;
    return true;
}

template <auto member>
std::string get_tracing(const ServerConfig& config) {
    return config.tracing.*member;
}

bool set_sample_ratio(ServerConfig& config, const std::string& value) {
    double ratio = 0;
    const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), ratio);
    if (error != std::errc{} || end != value.data() + value.size()) return false;
    config.tracing.sample_ratio = ratio;
    return ratio >= 0 && ratio <= 1;
}

// As it was given, or could have been.
std::string get_sample_ratio(const ServerConfig& config) {
    std::array<char, 32> digits{};
    const auto written =
        std::to_chars(digits.data(), digits.data() + digits.size(), config.tracing.sample_ratio);
    return {digits.data(), written.ptr};
}

std::vector<Setting> tracing_settings() {
    return {
        {.key = "tracing.endpoint",
         .flag = "--tracing-endpoint",
         .environment = "MILLRACE_TRACING_ENDPOINT",
         .synonym = "OTEL_EXPORTER_OTLP_ENDPOINT",
         .synonym_too = "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT",
         .description = "URL of a collector that takes OTLP over HTTP; without one, no traces",
         .expects = "http://HOST:PORT or https://HOST:PORT",
         .set =
             [](ServerConfig& config, const std::string& value) {
                 config.tracing.endpoint = value;
                 return value.starts_with("http://") || value.starts_with("https://");
             },
         .get = get_tracing<&TracingConfig::endpoint>},
        {.key = "tracing.headers",
         .flag = "--tracing-headers",
         .environment = "MILLRACE_TRACING_HEADERS",
         .synonym = "OTEL_EXPORTER_OTLP_HEADERS",
         .synonym_too = "OTEL_EXPORTER_OTLP_TRACES_HEADERS",
         .description = "Header fields for the collector: name=value,name=value",
         .expects = "name=value, with commas between several",
         .is_secret = true,
         .hide = hide_header_values,
         .set =
             [](ServerConfig& config, const std::string& value) {
                 config.tracing.headers = value;
                 return value.find('=') != std::string::npos;
             },
         .get = get_tracing<&TracingConfig::headers>},
        {.key = "tracing.sampleRatio",
         .flag = "--tracing-sample-ratio",
         .environment = "MILLRACE_TRACING_SAMPLE_RATIO",
         .synonym = "OTEL_TRACES_SAMPLER_ARG",
         .description = "The part of the traces that begin here to be exported, 0 to 1",
         .expects = "a number from 0 to 1",
         .kind = number,
         .set = set_sample_ratio,
         .get = get_sample_ratio},
        {.key = "tracing.serviceName",
         .flag = "--tracing-service-name",
         .environment = "MILLRACE_TRACING_SERVICE_NAME",
         .synonym = "OTEL_SERVICE_NAME",
         .description = "How traces call this server",
         .expects = "a name",
         .set = set_tracing<&TracingConfig::service_name>,
         .get = get_tracing<&TracingConfig::service_name>},
        {.key = "tracing.caFile",
         .flag = "--tracing-ca-file",
         .environment = "MILLRACE_TRACING_CA_FILE",
         .synonym = "OTEL_EXPORTER_OTLP_CERTIFICATE",
         .synonym_too = "OTEL_EXPORTER_OTLP_TRACES_CERTIFICATE",
         .description = "PEM file: who may sign the collector's certificate",
         .expects = kPath,
         .set = set_tracing<&TracingConfig::ca_file>,
         .get = get_tracing<&TracingConfig::ca_file>},
    };
}

std::vector<Setting> running_settings() {
    return {
        {.key = "logLevel",
         .flag = "--log-level",
         .environment = "MILLRACE_LOG_LEVEL",
         .synonym = "WE_LOG_LEVEL",
         .description = "The least important lines that are logged: debug, info, warn or error",
         .expects = "debug, info, warn or error",
         .set =
             [](ServerConfig& config, const std::string& value) {
                 return one_of(value, {"debug", "info", "warn", "error"}, config.log_level);
             },
         .get = get_text<&ServerConfig::log_level>},
        {.key = "logFormat",
         .flag = "--log-format",
         .environment = "MILLRACE_LOG_FORMAT",
         .description = "json, text, or auto: text on a terminal, else JSON",
         .expects = "auto, json or text",
         .set =
             [](ServerConfig& config, const std::string& value) {
                 return one_of(value, {"auto", "json", "text"}, config.log_format);
             },
         .get = get_text<&ServerConfig::log_format>},
        {.key = "threads",
         .flag = "--threads",
         .environment = "MILLRACE_THREADS",
         .description = "Threads that read and write HTTP, 1 to 64",
         .expects = "a number from 1 to 64",
         .kind = number,
         .set =
             [](ServerConfig& config, const std::string& value) {
                 return parse_integer(value, 1, kThreadsMax, config.thread_count);
             },
         .get = get_number<&ServerConfig::thread_count>},
        {.key = "shutdownSeconds",
         .flag = "--shutdown-seconds",
         .environment = "MILLRACE_SHUTDOWN_SECONDS",
         .description = "How long requests under way may take to end when the server stops",
         .expects = "seconds from 0 to 3600",
         .kind = number,
         .set = set_shutdown_patience,
         .get =
             [](const ServerConfig& config) {
                 return std::to_string(config.shutdown_patience.count());
             }},
    };
}

std::vector<Setting> retention_settings() {
    constexpr std::string_view kRules = "rules like P365D,acme=P30D, or keep";
    return {
        {.key = "retention",
         .flag = "--retention",
         .environment = "MILLRACE_RETENTION",
         .description = "How long finished instances are kept: keep, or rules like "
                        "P365D,acme=P30D,acme/order=keep,*/import=P1D",
         .expects = kRules,
         .set = set_text<&ServerConfig::retention>,
         .get = get_text<&ServerConfig::retention>},
        {.key = "auditRetention",
         .flag = "--audit-retention",
         .environment = "MILLRACE_AUDIT_RETENTION",
         .description = "How long audit entries are kept: keep, or rules like P365D,acme=P30D",
         .expects = kRules,
         .set = set_text<&ServerConfig::audit_retention>,
         .get = get_text<&ServerConfig::audit_retention>},
    };
}

}  // namespace

const std::vector<Setting>& settings() {
    static const std::vector<Setting> kSettings = [] {
        std::vector<Setting> all;
        for (const auto& group : {network_settings(), postgres_settings(), access_settings(),
                                  retention_settings(), running_settings(), tracing_settings()}) {
            all.insert(all.end(), group.begin(), group.end());
        }
        return all;
    }();
    return kSettings;
}

const std::vector<ForeignSetting>& foreign_settings() {
    static const std::vector<ForeignSetting> kForeign = [] {
        constexpr std::string_view kConnections = "each thread that needs a connection has one";
        constexpr std::string_view kKafka = "jobs are not dispatched through Kafka here";
        return std::vector<ForeignSetting>{
            {"grpcPort", "WE_GRPC_PORT", "there is no gRPC interface here"},
            {"dbMaxConns", "DB_MAX_CONNS", kConnections},
            {"dbMinConns", "DB_MIN_CONNS", kConnections},
            {"kafka.seedBrokers", "WE_KAFKA_SEED_BROKERS", kKafka},
            {"kafka.transport", "WE_KAFKA_TRANSPORT", kKafka},
            {"kafka.saslMechanism", "WE_KAFKA_SASL_MECHANISM", kKafka},
            {"", "WE_KAFKA_SASL_USERNAME", kKafka},
            {"", "WE_KAFKA_SASL_PASSWORD", kKafka},
            {"kafka.tlsCAPath", "WE_KAFKA_TLS_CA_PATH", kKafka},
            {"kafka.tlsServerName", "WE_KAFKA_TLS_SERVER_NAME", kKafka},
            {"kafka.outboxBatchSize", "WE_OUTBOX_BATCH_SIZE", kKafka},
        };
    }();
    return kForeign;
}

}  // namespace millrace
