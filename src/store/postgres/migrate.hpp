#pragma once

#include <span>

#include "store/postgres/connection.hpp"

namespace millrace::postgres {

// Applies those of the migrations that were not applied yet; see Database::migrate.
Status migrate(Connection& connection, std::span<const sql::Migration> migrations);

}  // namespace millrace::postgres
