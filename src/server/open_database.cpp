#include "server/open_database.hpp"

#include "node/trouble_log.hpp"
#include "store/postgres/postgres_database.hpp"
#include "store/sqlite/sqlite_database.hpp"

namespace millrace {

std::unique_ptr<Database> open_database(const ServerConfig& config, const Clock& local_clock,
                                        runtime::StoreClock& clock, observe::Log& log,
                                        const Id128& replica_id, MigrationNote on_migrated) {
    if (!on_migrated) {
        on_migrated = [&log](std::string_view name) {
            log.info("A migration was applied.", {{"migration", name}});
        };
    }
    const auto troubles = std::make_shared<TroubleLog>(log, local_clock);
    auto on_trouble = [troubles](std::string_view trouble) {
        troubles->note(trouble);
    };
    if (is_sqlite(config)) {
        return std::make_unique<SqliteDatabase>(
            sqlite_path(config), SqliteObserver{.log = &log,
                                                .clock = &local_clock,
                                                .on_migrated = std::move(on_migrated),
                                                .on_trouble = std::move(on_trouble)});
    }
    const PostgresSettings& settings = config.postgres;
    return std::make_unique<PostgresDatabase>(PostgresOptions{
        .target = config.store,
        .prepared_statements = settings.prepared_statements,
        .statement_timeout = settings.statement_timeout,
        .lock_timeout = settings.lock_timeout,
        .answer_patience = 2 * settings.statement_timeout + std::chrono::seconds(15),
        .committer_count = settings.committers,
        .on_server_time = [&clock](Instant server_now) { clock.observe(server_now); },
        .replica_id = replica_id,
        .listen_target = settings.listen_url,
        // A pooler of transactions takes the connection away with the end of each.
        .can_listen = settings.prepared_statements || !settings.listen_url.empty(),
        .on_trouble = std::move(on_trouble),
        .on_migrated = std::move(on_migrated),
    });
}

}  // namespace millrace
