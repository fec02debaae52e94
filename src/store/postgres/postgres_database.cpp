#include "store/postgres/postgres_database.hpp"

#include "store/postgres/migrate.hpp"
#include "store/postgres/postgres_batch_store.hpp"
#include "store/postgres/postgres_cluster.hpp"
#include "store/postgres/postgres_hint_listener.hpp"
#include "store/postgres/postgres_hint_sender.hpp"
#include "store/postgres/postgres_job_claimer.hpp"
#include "store/postgres/postgres_reader.hpp"

namespace millrace {

PostgresDatabase::PostgresDatabase(PostgresOptions options)
    : options_(std::move(options)), definitions_(std::make_shared<DefinitionCache>()) {}

Status PostgresDatabase::migrate() {
    postgres::Connection connection(postgres::connection_options(options_));
    if (Status status = postgres::migrate(connection, postgres::sql::kMigrations); !status) {
        return status;
    }
    // Nothing may be decided by a clock that has never seen the server's.
    const Result<Instant> server_now = postgres::read_clock(connection);
    if (!server_now) return server_now.error();
    if (options_.on_server_time) options_.on_server_time(*server_now);
    return ok();
}

std::unique_ptr<BatchStore> PostgresDatabase::batch_store() {
    return std::make_unique<postgres::PostgresBatchStore>(options_, definitions_);
}

std::unique_ptr<JobClaimer> PostgresDatabase::job_claimer() {
    return std::make_unique<postgres::PostgresJobClaimer>(options_);
}

std::unique_ptr<Reader> PostgresDatabase::reader() {
    return std::make_unique<postgres::PostgresReader>(options_);
}

std::unique_ptr<HintSender> PostgresDatabase::hint_sender() {
    return std::make_unique<postgres::PostgresHintSender>(options_);
}

std::unique_ptr<HintListener> PostgresDatabase::hint_listener() {
    if (!options_.can_listen) return nullptr;
    return std::make_unique<postgres::PostgresHintListener>(options_);
}

std::unique_ptr<Cluster> PostgresDatabase::cluster() {
    return std::make_unique<postgres::PostgresCluster>(options_);
}

}  // namespace millrace
