#pragma once

#include <span>

#include "store/migrations.hpp"
#include "store/postgres/connection.hpp"

namespace millrace::postgres {

// Applies those of the migrations that were not applied yet; see Database::migrate.
// Safe beside running servers and other programs that migrate: it waits for no lock for long, but
// tries again. Tells of each migration when it is applied.
Status migrate(Connection& connection, std::span<const sql::Migration> migrations,
               const MigrationNote& on_migrated = {});

// What migrate has done and would do.
Result<std::vector<MigrationStatus>> compare(Connection& connection,
                                             std::span<const sql::Migration> migrations);

}  // namespace millrace::postgres
