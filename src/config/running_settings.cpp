#include "config/setting_groups.hpp"
#include "config/setting_values.hpp"

namespace millrace::config {

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
         .kind = SettingKind::number,
         .set = set_integer<1, 64, &ServerConfig::thread_count>,
         .get = get_integer<&ServerConfig::thread_count>},
        {.key = "shutdownSeconds",
         .flag = "--shutdown-seconds",
         .environment = "MILLRACE_SHUTDOWN_SECONDS",
         .description = "How long requests under way may take to end when the server stops",
         .expects = "seconds from 0 to 3600",
         .kind = SettingKind::number,
         .set = set_whole_seconds<0, 3600, &ServerConfig::shutdown_patience>,
         .get = get_seconds<&ServerConfig::shutdown_patience>},
    };
}

}  // namespace millrace::config
