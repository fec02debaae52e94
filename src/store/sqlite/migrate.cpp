#include "store/sqlite/migrate.hpp"

#include <algorithm>

#include "store_sqlite_sql.hpp"

namespace millrace::sqlite {

namespace {

Result<std::vector<AppliedMigration>> read_applied(Connection& connection) {
    std::vector<AppliedMigration> applied;
    const auto add = [&](const Row& row) {
        applied.push_back(
            {row.integer(0), std::string(row.text(1)), std::string(row.text(2)), row.instant(3)});
        return ok();
    };
    Status status = connection.for_each(sql::read_migrations, add);
    if (!status) return status.error();
    return applied;
}

Status apply(Connection& connection, const sql::Migration& migration) {
    if (Status status = connection.begin_write(); !status) return status;
    Status status = connection.run_script(migration.text);
    if (status) {
        status = connection.run(sql::insert_migration, migration.version, migration.name,
                                migration_checksum(migration.text));
    }
    if (status) return connection.commit();
    (void)connection.rollback();  // The connection is not used again after a failure.
    return status;
}

}  // namespace

Status migrate(Connection& connection, std::span<const sql::Migration> migrations,
               const MigrationNote& on_migrated) {
    if (Status status = connection.run(sql::create_schema_migration); !status) return status;
    const Result<std::vector<MigrationStatus>> compared = compare(connection, migrations);
    if (!compared) return compared.error();
    if (Status status = check_migrations(*compared); !status) return status;
    for (const sql::Migration& migration : migrations) {
        const auto status =
            std::ranges::find(*compared, migration.version, &MigrationStatus::version);
        if (status->state == MigrationState::applied) continue;
        if (Status applied = apply(connection, migration); !applied) return applied;
        if (on_migrated) on_migrated(migration.name);
    }
    return ok();
}

Result<std::vector<MigrationStatus>> compare(Connection& connection,
                                             std::span<const sql::Migration> migrations) {
    const Result<std::vector<AppliedMigration>> applied = read_applied(connection);
    if (!applied) return applied.error();
    return compare_migrations(*applied, known_migrations(migrations));
}

Status check_schema(Connection& connection, std::span<const sql::Migration> migrations) {
    const Result<std::vector<MigrationStatus>> compared = compare(connection, migrations);
    if (!compared) return compared.error();
    if (count_pending(*compared) == migrations.size()) {
        return Error{ErrorCode::data_refused, "It has no tables."};
    }
    return check_migrations(*compared);
}

Result<std::size_t> count_applied(Connection& connection) {
    const Result<std::vector<AppliedMigration>> applied = read_applied(connection);
    if (!applied) return applied.error();
    return applied->size();
}

}  // namespace millrace::sqlite
