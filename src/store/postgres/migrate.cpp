#include "store/postgres/migrate.hpp"

#include <algorithm>
#include <cstdint>
#include <string>

#include "store/postgres/transaction.hpp"

namespace millrace::postgres {

namespace {

constexpr std::string_view kLockTimeout = "2000";  // Milliseconds.
constexpr int kTriesMax = 20;                      // With their pauses about a minute.

std::vector<AppliedMigration> decode_applied(const Rows& rows) {
    std::vector<AppliedMigration> applied;
    for (int i = 0; i < rows.size(); ++i) {
        Fields fields(rows, i);
        AppliedMigration& each = applied.emplace_back();
        each.version = fields.int32();
        each.name = fields.text();
        each.checksum = fields.text();
        each.applied_at = fields.instant();
    }
    return applied;
}

// What the database says is for whoever migrates: an operator, no client.
Error explained(const Error& error, const Connection& connection) {
    if (error.code == ErrorCode::conflict || connection.trouble().empty()) return error;
    return {error.code, error.detail + " The reason: " + connection.trouble()};
}

Status note(Connection& connection, const sql::Migration& migration) {
    Parameters parameters;
    parameters.add(std::int32_t{migration.version});
    parameters.add(migration.name);
    parameters.add(std::string_view(migration_checksum(migration.text)));
    std::vector<Call> calls;
    calls.push_back(call(sql::insert_migration, std::move(parameters)));
    calls.push_back(commit());
    const Result<std::vector<Rows>> answers = connection.run(calls);
    return answers ? ok() : Status(answers.error());
}

std::vector<Call> opening_of_migration() {
    Parameters parameters;
    parameters.add(kLockTimeout);
    std::vector<Call> calls;
    calls.push_back(command(kBeginWriting));
    calls.push_back(call(sql::lock_migrations));
    calls.push_back(call(sql::configure_migration, std::move(parameters)));
    calls.push_back(call(sql::create_schema_migration));
    return calls;
}

// Applies the next migration in a transaction of its own, and names it. Empty when there is none.
Result<std::string_view> migrate_once(Connection& connection,
                                      std::span<const sql::Migration> migrations) {
    if (const Status status = connection.open(); !status) return status.error();
    const std::vector<Call> calls = opening_of_migration();
    const Result<std::vector<Rows>> begun = connection.run(calls);
    if (!begun) return begun.error();
    // Prepared only now: there may have been no such table before.
    const Result<std::vector<Rows>> answers = connection.run({call(sql::read_migrations)});
    if (!answers) return answers.error();
    const std::vector<MigrationStatus> compared =
        compare_migrations(decode_applied(answers->front()), known_migrations(migrations));
    if (const Status status = check_migrations(compared); !status) return status.error();
    const auto next = std::ranges::find(compared, MigrationState::pending, &MigrationStatus::state);
    if (next == compared.end()) {
        const Result<std::vector<Rows>> ended = connection.run({commit()});
        return ended ? Result<std::string_view>("") : ended.error();
    }
    const sql::Migration& migration =
        *std::ranges::find(migrations, next->version, &sql::Migration::version);
    if (const Status status = connection.run_script(migration.text); !status) {
        return Error{status.error().code,
                     std::string(migration.name) + ": " + status.error().detail};
    }
    if (const Status status = note(connection, migration); !status) return status.error();
    return migration.name;
}

// The same again after what may pass: a lock that somebody holds, a deadlock, a lost connection. A
// migration that was committed although nobody heard of it is found applied.
Result<std::string_view> migrate_patiently(Connection& connection,
                                           std::span<const sql::Migration> migrations) {
    Result<std::string_view> applied = migrate_once(connection, migrations);
    for (int tries = 1; !applied && tries < kTriesMax; ++tries) {
        const bool may_pass = applied.error().code == ErrorCode::unavailable ||
                              applied.error().code == ErrorCode::commit_unknown;
        connection.close();
        if (!may_pass || !connection.open()) break;
        (void)connection.run({call(sql::pause_migration)});  // What fails now fails again below.
        applied = migrate_once(connection, migrations);
    }
    return applied;
}

}  // namespace

Status migrate(Connection& connection, std::span<const sql::Migration> migrations,
               const MigrationNote& on_migrated) {
    Result<std::string_view> applied = migrate_patiently(connection, migrations);
    while (applied && !applied->empty()) {
        if (on_migrated) on_migrated(*applied);
        applied = migrate_patiently(connection, migrations);
    }
    connection.close();
    return applied ? ok() : Status(explained(applied.error(), connection));
}

Result<std::vector<MigrationStatus>> compare(Connection& connection,
                                             std::span<const sql::Migration> migrations) {
    if (const Status status = connection.open(); !status) {
        return explained(status.error(), connection);
    }
    const Result<std::vector<Rows>> known = connection.run({call(sql::has_schema_migration)});
    if (!known) return explained(known.error(), connection);
    std::vector<AppliedMigration> applied;
    if (Fields(known->front(), 0).boolean()) {
        const Result<std::vector<Rows>> answers = connection.run({call(sql::read_migrations)});
        if (!answers) return explained(answers.error(), connection);
        applied = decode_applied(answers->front());
    }
    return compare_migrations(applied, known_migrations(migrations));
}

}  // namespace millrace::postgres
