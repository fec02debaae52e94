#pragma once

#include "config/server_config.hpp"
#include "store/database.hpp"

namespace millrace {

// Brings a store into the shape that this server needs: its schema, and in dispatcher.mode single
// the table of its locks. With --migrate check nothing is changed, and an old schema is an error.
Status prepare_store(Database& database, const ServerConfig& config);

}  // namespace millrace
