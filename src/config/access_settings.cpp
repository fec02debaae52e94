#include "config/setting_groups.hpp"
#include "config/setting_values.hpp"

namespace millrace::config {

namespace {

bool set_auth(ServerConfig& config, const std::string& value) {
    config.auth = value == "keys" ? AuthMode::keys : AuthMode::none;
    return value == "keys" || value == "none";
}

bool set_client_certificate(ServerConfig& config, const std::string& value) {
    config.client_tls.is_required = value == "required";
    return value == "required" || value == "optional";
}

}  // namespace

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
         .kind = SettingKind::boolean,
         .set = set_boolean<&ServerConfig::is_insecure>,
         .get = get_boolean<&ServerConfig::is_insecure>},
        {.key = "tls.certificate",
         .flag = "--tls-certificate",
         .environment = "MILLRACE_TLS_CERTIFICATE",
         .description = "PEM file: the certificate of the REST API, and those above it",
         .expects = kPath,
         .set = set_text<&ServerConfig::tls, &TlsFiles::certificate>,
         .get = get_text<&ServerConfig::tls, &TlsFiles::certificate>},
        {.key = "tls.key",
         .flag = "--tls-key",
         .environment = "MILLRACE_TLS_KEY",
         .description = "PEM file: the private key of that certificate",
         .expects = kPath,
         .set = set_text<&ServerConfig::tls, &TlsFiles::key>,
         .get = get_text<&ServerConfig::tls, &TlsFiles::key>},
        {.key = "tls.clientCa",
         .flag = "--tls-client-ca",
         .environment = "MILLRACE_TLS_CLIENT_CA",
         .description = "PEM file: who may sign the certificates that clients show instead of keys",
         .expects = kPath,
         .set = set_text<&ServerConfig::client_tls, &ClientTls::ca>,
         .get = get_text<&ServerConfig::client_tls, &ClientTls::ca>},
        {.key = "tls.clientCertificate",
         .flag = "--tls-client-certificate",
         .environment = "MILLRACE_TLS_CLIENT_CERTIFICATE",
         .description = "Whether a client without a certificate is let in, by a key: optional, or "
                        "not at all: required",
         .expects = "optional or required",
         .set = set_client_certificate,
         .get = [](const ServerConfig& config) -> std::string {
             return config.client_tls.is_required ? "required" : "optional";
         }},
        {.key = "metricsTls.certificate",
         .flag = "--metrics-tls-certificate",
         .environment = "MILLRACE_METRICS_TLS_CERTIFICATE",
         .description = "PEM file: the certificate of the metrics, and those above it",
         .expects = kPath,
         .set = set_text<&ServerConfig::metrics_tls, &TlsFiles::certificate>,
         .get = get_text<&ServerConfig::metrics_tls, &TlsFiles::certificate>},
        {.key = "metricsTls.key",
         .flag = "--metrics-tls-key",
         .environment = "MILLRACE_METRICS_TLS_KEY",
         .description = "PEM file: the private key of that certificate",
         .expects = kPath,
         .set = set_text<&ServerConfig::metrics_tls, &TlsFiles::key>,
         .get = get_text<&ServerConfig::metrics_tls, &TlsFiles::key>},
        {.key = "audit",
         .key_synonym = "auditLogEnabled",
         .flag = "--audit",
         .environment = "MILLRACE_AUDIT",
         .synonym = "WE_AUDIT_LOG_ENABLED",
         .description = "Keep who did what",
         .expects = kBoolean,
         .kind = SettingKind::boolean,
         .set = set_boolean<&ServerConfig::audit>,
         .get = get_boolean<&ServerConfig::audit>},
    };
}

}  // namespace millrace::config
