#include "config/setting_groups.hpp"
#include "config/setting_values.hpp"

namespace millrace::config {

namespace {

constexpr int kSecondsMax = 600;
constexpr int kCommittersMax = 16;

bool set_migrate(ServerConfig& config, const std::string& value) {
    config.migrate = value == "check" ? MigrateMode::check : MigrateMode::automatic;
    return value == "check" || value == "auto";
}

}  // namespace

std::vector<Setting> postgres_settings() {
    constexpr std::string_view kSeconds = "seconds from 1 to 600";
    return {
        {.key = "postgres.preparedStatements",
         .flag = "--postgres-prepared-statements",
         .environment = "MILLRACE_POSTGRES_PREPARED_STATEMENTS",
         .description = "False behind PgBouncer or another pooler that pools transactions",
         .expects = kBoolean,
         .kind = SettingKind::boolean,
         .set = set_boolean<&ServerConfig::postgres, &PostgresSettings::prepared_statements>,
         .get = get_boolean<&ServerConfig::postgres, &PostgresSettings::prepared_statements>},
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
         .get = get_text<&ServerConfig::postgres, &PostgresSettings::listen_url>},
        {.key = "postgres.statementTimeoutSeconds",
         .flag = "--postgres-statement-timeout-seconds",
         .environment = "MILLRACE_POSTGRES_STATEMENT_TIMEOUT_SECONDS",
         .description = "How long one statement may take",
         .expects = kSeconds,
         .kind = SettingKind::number,
         .set = set_whole_seconds<1, kSecondsMax, &ServerConfig::postgres,
                                  &PostgresSettings::statement_timeout>,
         .get = get_seconds<&ServerConfig::postgres, &PostgresSettings::statement_timeout>},
        {.key = "postgres.lockTimeoutSeconds",
         .flag = "--postgres-lock-timeout-seconds",
         .environment = "MILLRACE_POSTGRES_LOCK_TIMEOUT_SECONDS",
         .description = "How long one statement may wait for a lock",
         .expects = kSeconds,
         .kind = SettingKind::number,
         .set = set_whole_seconds<1, kSecondsMax, &ServerConfig::postgres,
                                  &PostgresSettings::lock_timeout>,
         .get = get_seconds<&ServerConfig::postgres, &PostgresSettings::lock_timeout>},
        {.key = "postgres.committers",
         .flag = "--postgres-committers",
         .environment = "MILLRACE_POSTGRES_COMMITTERS",
         .description = "Connections that write, 1 to 16",
         .expects = "a number from 1 to 16",
         .kind = SettingKind::number,
         .set =
             set_integer<1, kCommittersMax, &ServerConfig::postgres, &PostgresSettings::committers>,
         .get = get_integer<&ServerConfig::postgres, &PostgresSettings::committers>},
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

}  // namespace millrace::config
