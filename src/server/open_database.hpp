#pragma once

#include <memory>

#include "config/server_config.hpp"
#include "observe/log.hpp"
#include "runtime/store_clock.hpp"
#include "store/database.hpp"

namespace millrace {

// The store that the configuration names. On PostgreSQL each batch tells `clock` the server's time,
// and other replicas know this process by its id. Who is told of migrations in another way than by
// the log passes `on_migrated`.
std::unique_ptr<Database> open_database(const ServerConfig& config, const Clock& local_clock,
                                        runtime::StoreClock& clock, observe::Log& log,
                                        const Id128& replica_id = {},
                                        MigrationNote on_migrated = {});

}  // namespace millrace
