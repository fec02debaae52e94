#include "config/hide_password.hpp"
#include "config/setting_groups.hpp"
#include "config/setting_values.hpp"

namespace millrace::config {

std::vector<Setting> tracing_settings() {
    return {
        {.key = "tracing.endpoint",
         .flag = "--tracing-endpoint",
         .environment = "MILLRACE_TRACING_ENDPOINT",
         .synonym = "OTEL_EXPORTER_OTLP_ENDPOINT",
         .synonym_too = "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT",
         .description = "URL of a collector that takes OTLP over HTTP; without one, no traces",
         .expects = "http://HOST:PORT or https://HOST:PORT",
         .hide = hide_password,
         .set =
             [](ServerConfig& config, const std::string& value) {
                 config.tracing.endpoint = value;
                 return value.starts_with("http://") || value.starts_with("https://");
             },
         .get = get_text<&ServerConfig::tracing, &TracingConfig::endpoint>},
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
         .get = get_text<&ServerConfig::tracing, &TracingConfig::headers>},
        {.key = "tracing.sampleRatio",
         .flag = "--tracing-sample-ratio",
         .environment = "MILLRACE_TRACING_SAMPLE_RATIO",
         .synonym = "OTEL_TRACES_SAMPLER_ARG",
         .description = "The part of the traces that begin here to be exported, 0 to 1",
         .expects = "a number from 0 to 1",
         .kind = SettingKind::number,
         .set =
             [](ServerConfig& config, const std::string& value) {
                 return parse_decimal(value, 0, 1, config.tracing.sample_ratio);
             },
         .get =
             [](const ServerConfig& config) {
                 return decimal_text(config.tracing.sample_ratio);
             }},
        {.key = "tracing.serviceName",
         .flag = "--tracing-service-name",
         .environment = "MILLRACE_TRACING_SERVICE_NAME",
         .synonym = "OTEL_SERVICE_NAME",
         .description = "How traces call this server",
         .expects = "a name",
         .set = set_text<&ServerConfig::tracing, &TracingConfig::service_name>,
         .get = get_text<&ServerConfig::tracing, &TracingConfig::service_name>},
        {.key = "tracing.caFile",
         .flag = "--tracing-ca-file",
         .environment = "MILLRACE_TRACING_CA_FILE",
         .synonym = "OTEL_EXPORTER_OTLP_CERTIFICATE",
         .synonym_too = "OTEL_EXPORTER_OTLP_TRACES_CERTIFICATE",
         .description = "PEM file: who may sign the collector's certificate",
         .expects = kPath,
         .set = set_text<&ServerConfig::tracing, &TracingConfig::ca_file>,
         .get = get_text<&ServerConfig::tracing, &TracingConfig::ca_file>},
    };
}

}  // namespace millrace::config
