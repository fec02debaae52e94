#include "store/postgres/migrate.hpp"

#include <cstdint>
#include <string>

namespace millrace::postgres {

namespace {

// FNV-1a: against a file that was edited after it was applied, not against malice.
std::string checksum(std::string_view text) {
    std::uint64_t hash = 0xCBF2'9CE4'8422'2325;
    for (const char byte : text) {
        hash = (hash ^ static_cast<unsigned char>(byte)) * 0x100'0000'01B3;
    }
    constexpr std::string_view kDigits = "0123456789abcdef";
    std::string hex;
    for (int shift = 60; shift >= 0; shift -= 4) hex += kDigits[hash >> shift & 0xF];
    return hex;
}

// How many of the migrations the schema has. conflict: it has others.
Result<std::size_t> count_applied(const Rows& applied, std::span<const sql::Migration> migrations) {
    const auto count = static_cast<std::size_t>(applied.size());
    for (std::size_t i = 0; i < count; ++i) {
        Fields fields(applied, static_cast<int>(i));
        const std::int32_t version = fields.int32();
        const std::string name(fields.text());
        if (i >= migrations.size() || migrations[i].version != version) {
            return Error{ErrorCode::conflict, "The database has migration " + name +
                                                  ", which this program does not know."};
        }
        if (fields.text() != checksum(migrations[i].text)) {
            return Error{ErrorCode::conflict,
                         "Migration " + name + " has changed since it was applied."};
        }
    }
    return count;
}

Status note(Connection& connection, const sql::Migration& migration) {
    Parameters parameters;
    parameters.add(std::int32_t{migration.version});
    parameters.add(migration.name);
    parameters.add(std::string_view(checksum(migration.text)));
    std::vector<Call> calls;
    calls.push_back(call(sql::insert_migration, std::move(parameters)));
    calls.push_back(commit());
    const Result<std::vector<Rows>> answers = connection.run(calls);
    return answers ? ok() : Status(answers.error());
}

// Applies the next migration in a transaction of its own. False when there is none.
Result<bool> migrate_once(Connection& connection, std::span<const sql::Migration> migrations) {
    std::vector<Call> calls;
    calls.push_back(command("BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE"));
    calls.push_back(call(sql::lock_migrations));
    calls.push_back(call(sql::create_schema_migration));
    const Result<std::vector<Rows>> begun = connection.run(calls);
    if (!begun) return begun.error();
    // Prepared only now: there may have been no such table before.
    const Result<std::vector<Rows>> answers = connection.run({call(sql::read_migrations)});
    if (!answers) return answers.error();
    const Result<std::size_t> applied = count_applied(answers->front(), migrations);
    if (!applied) return applied.error();
    if (*applied == migrations.size()) {
        const Result<std::vector<Rows>> ended = connection.run({commit()});
        return ended ? Result<bool>(false) : ended.error();
    }
    const sql::Migration& migration = migrations[*applied];
    if (const Status status = connection.run_script(migration.text); !status) {
        return Error{status.error().code,
                     std::string(migration.name) + ": " + status.error().detail};
    }
    if (const Status status = note(connection, migration); !status) return status.error();
    return true;
}

}  // namespace

Status migrate(Connection& connection, std::span<const sql::Migration> migrations) {
    if (const Status status = connection.open(); !status) return status;
    Result<bool> has_more = true;
    while (has_more && *has_more) has_more = migrate_once(connection, migrations);
    connection.close();
    return has_more ? ok() : Status(has_more.error());
}

}  // namespace millrace::postgres
