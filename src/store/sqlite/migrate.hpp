#pragma once

#include <span>

#include "store/migrations.hpp"
#include "store/sqlite/connection.hpp"

namespace millrace::sqlite {

namespace sql {
struct Migration;
}  // namespace sql

// Applies what is missing of the migrations, each in a transaction of its own. conflict: the file
// knows one that is not among them, or one of them has changed since it was applied.
// Tells of each when it is applied.
Status migrate(Connection& connection, std::span<const sql::Migration> migrations,
               const MigrationNote& on_migrated = {});

// What migrate has done and would do.
Result<std::vector<MigrationStatus>> compare(Connection& connection,
                                             std::span<const sql::Migration> migrations);

// Whether migrate would take the file, without changing it. A file without any migration is refused
// with data_refused.
Status check_schema(Connection& connection, std::span<const sql::Migration> migrations);

// How many migrations the file has.
Result<std::size_t> count_applied(Connection& connection);

}  // namespace millrace::sqlite
