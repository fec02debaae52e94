#include "server/open_database.hpp"

#include "store/postgres/postgres_database.hpp"
#include "store/sqlite/sqlite_database.hpp"

namespace millrace {

std::unique_ptr<Database> open_database(const ServerConfig& config, const Clock& local_clock,
                                        runtime::StoreClock& clock, observe::Log& log,
                                        const Id128& replica_id) {
    if (is_sqlite(config)) {
        return std::make_unique<SqliteDatabase>(sqlite_path(config),
                                                SqliteObserver{.log = &log, .clock = &local_clock});
    }
    return std::make_unique<PostgresDatabase>(PostgresOptions{
        .target = config.store,
        .on_server_time =
            [&](Instant server_now) {
                const Instant local_now = local_clock.now();
                clock.observe(server_now, local_now, local_now);
            },
        .replica_id = replica_id,
    });
}

}  // namespace millrace
