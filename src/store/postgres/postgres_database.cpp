#include "store/postgres/postgres_database.hpp"

#include "store/postgres/migrate.hpp"
#include "store/postgres/postgres_batch_store.hpp"
#include "store/postgres/postgres_job_claimer.hpp"
#include "store/postgres/postgres_reader.hpp"

namespace millrace {

PostgresDatabase::PostgresDatabase(PostgresOptions options)
    : options_(std::move(options)), definitions_(std::make_shared<DefinitionCache>()) {}

Status PostgresDatabase::migrate() {
    postgres::Connection connection(postgres::connection_options(options_));
    return postgres::migrate(connection, postgres::sql::kMigrations);
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

}  // namespace millrace
