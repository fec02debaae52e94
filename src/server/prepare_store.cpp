#include "server/prepare_store.hpp"

#include <string>

namespace millrace {

namespace {

// With `check` somebody else migrates, when the time has come.
Status prepare_schema(Database& database, MigrateMode mode) {
    if (mode == MigrateMode::automatic) return database.migrate();
    const Result<std::vector<MigrationStatus>> migrations = database.migrations();
    if (!migrations) return migrations.error();
    if (const Status usable = check_migrations(*migrations); !usable) return usable;
    const std::size_t pending = count_pending(*migrations);
    if (pending == 0) return database.migrate();
    return Error{ErrorCode::conflict,
                 "Its schema is older than this program: " + std::to_string(pending) + " of " +
                     std::to_string(migrations->size()) +
                     " migrations are pending. Run `millrace migrate up`, or start with --migrate "
                     "auto."};
}

// In single mode nothing is dispatched without a lock: better say now that there can be none.
Status prepare_locks(Database& database, const ServerConfig& config) {
    if (config.queue.mode != DispatcherMode::single || !config.queue.is_engine_enabled) return ok();
    const bool may_create = config.migrate == MigrateMode::automatic;
    const Status prepared =
        database.lock_table(config.queue.lock_table)
            ->prepare(may_create ? LockTableMode::create : LockTableMode::check);
    if (prepared) return ok();
    return Error{prepared.error().code, "dispatcher.lockTable: " + prepared.error().detail};
}

}  // namespace

Status prepare_store(Database& database, const ServerConfig& config) {
    if (const Status migrated = prepare_schema(database, config.migrate); !migrated) {
        return Error{migrated.error().code, "The store cannot be used: " + migrated.error().detail};
    }
    return prepare_locks(database, config);
}

}  // namespace millrace
