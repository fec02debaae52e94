#include "server/local_store.hpp"

#include "base/time_text.hpp"
#include "config/read_config.hpp"
#include "observe/log.hpp"
#include "runtime/environment.hpp"
#include "runtime/store_clock.hpp"
#include "runtime/system_clock.hpp"
#include "server/open_database.hpp"
#include "server/retention_settings.hpp"

namespace millrace {

namespace {

json::Value document_of(const std::vector<MigrationStatus>& migrations) {
    json::Array items;
    for (const MigrationStatus& each : migrations) {
        json::Value item = json::Object{};
        item.set("version", each.version);
        item.set("name", each.name);
        item.set("state", to_string(each.state));
        if (each.applied_at) item.set("appliedAt", time_text(*each.applied_at));
        items.push_back(std::move(item));
    }
    json::Value document = json::Object{};
    document.set("migrations", std::move(items));
    document.set("pending", static_cast<std::int64_t>(count_pending(migrations)));
    const Status usable = check_migrations(migrations);
    document.set("problem", usable ? std::string() : usable.error().detail);
    return document;
}

// A database of a command that ends soon. What there is to say is in its results.
class OpenedStore {
public:
    OpenedStore(const ServerConfig& config, const std::function<void(std::string_view)>& note)
        : database_(open_database(config, system_clock_, clock_, log_, Id128{}, note)) {}

    Database& database() { return *database_; }

private:
    observe::Log log_{{.level = observe::LogLevel::error}};
    runtime::SystemClock system_clock_;
    runtime::SteadyClock steady_clock_;
    runtime::StoreClock clock_{system_clock_, steady_clock_};
    std::unique_ptr<Database> database_;
};

void ignore(std::string_view) {}

}  // namespace

Result<ServerConfig> read_config_of(const StoreChoice& choice) {
    std::vector<std::string> flags;
    if (!choice.store.empty()) flags.insert(flags.end(), {"--store", choice.store});
    if (!choice.config_file.empty()) flags.insert(flags.end(), {"--config", choice.config_file});
    return read_config(flags, runtime::environment_variable, kDefaultConfigFile, flaw_of_value);
}

Result<json::Value> migration_status(const StoreChoice& choice) {
    const Result<ServerConfig> config = read_config_of(choice);
    if (!config) return config.error();
    OpenedStore store(*config, ignore);
    const Result<std::vector<MigrationStatus>> migrations = store.database().migrations();
    if (!migrations) return migrations.error();
    return document_of(*migrations);
}

Result<json::Value> migrate_store(const StoreChoice& choice,
                                  const std::function<void(std::string_view)>& on_migrated) {
    const Result<ServerConfig> config = read_config_of(choice);
    if (!config) return config.error();
    OpenedStore store(*config, on_migrated);
    if (const Status migrated = store.database().migrate(); !migrated) return migrated.error();
    const Result<std::vector<MigrationStatus>> migrations = store.database().migrations();
    if (!migrations) return migrations.error();
    return document_of(*migrations);
}

}  // namespace millrace
