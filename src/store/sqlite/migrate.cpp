#include "store/sqlite/migrate.hpp"

#include <algorithm>
#include <map>

#include "store_sqlite_sql.hpp"

namespace millrace::sqlite {

namespace {

using Checksums = std::map<std::int64_t, std::string>;  // By version.

// FNV-1a: it is to notice a mistake, not an attack.
std::string checksum_of(std::string_view text) {
    std::uint64_t hash = 0xCBF2'9CE4'8422'2325;
    for (const char letter : text) {
        hash = (hash ^ static_cast<unsigned char>(letter)) * 0x0000'0100'0000'01B3;
    }
    std::string digits(16, '0');
    for (auto digit = digits.rbegin(); digit != digits.rend(); ++digit, hash >>= 4) {
        *digit = "0123456789abcdef"[hash & 0xF];
    }
    return digits;
}

Result<Checksums> read_applied(Connection& connection) {
    Checksums applied;
    const auto add = [&](const Row& row) {
        applied.emplace(row.integer(0), row.text(2));
        return ok();
    };
    Status status = connection.for_each(sql::read_migrations, add);
    if (!status) return status.error();
    return applied;
}

Status check(const Checksums& applied, std::span<const sql::Migration> migrations) {
    for (const auto& [version, checksum] : applied) {
        const auto known = std::ranges::find(migrations, version, &sql::Migration::version);
        if (known == migrations.end()) {
            return Error{ErrorCode::conflict, "The database has migration " +
                                                  std::to_string(version) +
                                                  ", which this program does not know: it was "
                                                  "written by a newer one."};
        }
        if (checksum_of(known->text) != checksum) {
            return Error{ErrorCode::conflict, "Migration " + std::string(known->name) +
                                                  " has changed since it was applied."};
        }
    }
    return ok();
}

Status apply(Connection& connection, const sql::Migration& migration) {
    if (Status status = connection.begin_write(); !status) return status;
    Status status = connection.run_script(migration.text);
    if (status) {
        status = connection.run(sql::insert_migration, migration.version, migration.name,
                                checksum_of(migration.text));
    }
    if (status) return connection.commit();
    (void)connection.rollback();  // The connection is not used again after a failure.
    return status;
}

}  // namespace

Status migrate(Connection& connection, std::span<const sql::Migration> migrations) {
    if (Status status = connection.run(sql::create_schema_migration); !status) return status;
    const Result<Checksums> applied = read_applied(connection);
    if (!applied) return applied.error();
    if (Status status = check(*applied, migrations); !status) return status;
    for (const sql::Migration& migration : migrations) {
        if (applied->contains(migration.version)) continue;
        if (Status status = apply(connection, migration); !status) return status;
    }
    return ok();
}

Status check_schema(Connection& connection, std::span<const sql::Migration> migrations) {
    const Result<Checksums> applied = read_applied(connection);
    if (!applied) return applied.error();
    if (applied->empty()) return Error{ErrorCode::data_refused, "It has no tables."};
    return check(*applied, migrations);
}

Result<std::size_t> count_applied(Connection& connection) {
    const Result<Checksums> applied = read_applied(connection);
    if (!applied) return applied.error();
    return applied->size();
}

}  // namespace millrace::sqlite
