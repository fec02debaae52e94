#include "store/postgres/postgres_database.hpp"

#include <algorithm>

#include "store/postgres/migrate.hpp"
#include "store/postgres/postgres_batch_store.hpp"
#include "store/postgres/postgres_cluster.hpp"
#include "store/postgres/postgres_hint_listener.hpp"
#include "store/postgres/postgres_hint_sender.hpp"
#include "store/postgres/postgres_job_claimer.hpp"
#include "store/postgres/postgres_lock_table.hpp"
#include "store/postgres/postgres_reader.hpp"
#include "store/postgres/postgres_statistics.hpp"
#include "store/postgres/postgres_upkeep.hpp"
#include "store/postgres/promotion_mark.hpp"

namespace millrace {

namespace {

using Counts = postgres::ConnectionCounts;

constexpr std::string_view kCommitter = "committer";
constexpr std::string_view kClaimer = "claimer";
constexpr std::string_view kReader = "reader";
constexpr std::string_view kCluster = "cluster";  // Hints, locks, and who is there.
constexpr std::string_view kStatistics = "statistics";
constexpr std::string_view kUpkeep = "upkeep";  // Of partitions.

}  // namespace

PostgresDatabase::PostgresDatabase(PostgresOptions options)
    : options_(std::move(options)),
      counts_({{kCommitter, std::make_shared<Counts>()},
               {kClaimer, std::make_shared<Counts>()},
               {kReader, std::make_shared<Counts>()},
               {kCluster, std::make_shared<Counts>()},
               {kStatistics, std::make_shared<Counts>()},
               {kUpkeep, std::make_shared<Counts>()}}),
      definitions_(std::make_shared<DefinitionCache>()) {}

Status PostgresDatabase::migrate() {
    postgres::Connection connection(postgres::connection_options(options_));
    if (Status status =
            postgres::migrate(connection, postgres::sql::kMigrations, options_.on_migrated);
        !status) {
        return status;
    }
    if (const Status status = postgres::check_no_promotion(connection); !status) return status;
    // Nothing may be decided by a clock that has never seen the server's.
    const Result<Instant> server_now = postgres::read_clock(connection);
    if (!server_now) return server_now.error();
    if (options_.on_server_time) options_.on_server_time(*server_now);
    return ok();
}

Result<std::vector<MigrationStatus>> PostgresDatabase::migrations() {
    postgres::Connection connection(postgres::connection_options(options_));
    return postgres::compare(connection, postgres::sql::kMigrations);
}

std::unique_ptr<BatchStore> PostgresDatabase::batch_store() {
    return std::make_unique<postgres::PostgresBatchStore>(counted(kCommitter), definitions_);
}

std::unique_ptr<JobClaimer> PostgresDatabase::job_claimer() {
    return std::make_unique<postgres::PostgresJobClaimer>(counted(kClaimer));
}

std::unique_ptr<Reader> PostgresDatabase::reader() {
    return std::make_unique<postgres::PostgresReader>(counted(kReader));
}

std::unique_ptr<HintSender> PostgresDatabase::hint_sender() {
    return std::make_unique<postgres::PostgresHintSender>(counted(kCluster));
}

std::unique_ptr<HintListener> PostgresDatabase::hint_listener() {
    if (!options_.can_listen) return nullptr;
    return std::make_unique<postgres::PostgresHintListener>(counted(kCluster));
}

std::unique_ptr<Cluster> PostgresDatabase::cluster() {
    return std::make_unique<postgres::PostgresCluster>(counted(kCluster));
}

std::unique_ptr<Upkeep> PostgresDatabase::upkeep() {
    return std::make_unique<postgres::PostgresUpkeep>(counted(kUpkeep));
}

std::unique_ptr<LockTable> PostgresDatabase::lock_table(const std::string& table) {
    return std::make_unique<postgres::PostgresLockTable>(counted(kCluster), table);
}

std::unique_ptr<StatisticsReader> PostgresDatabase::statistics_reader() {
    return std::make_unique<postgres::PostgresStatistics>(counted(kStatistics));
}

std::vector<ConnectionUse> PostgresDatabase::connection_use() const {
    std::vector<ConnectionUse> uses;
    for (const CountedKind& each : counts_) {
        uses.push_back({.kind = each.kind,
                        .open = each.counts->open,
                        .busy = each.counts->busy,
                        .connects = each.counts->connects,
                        .connect_failures = each.counts->connect_failures});
    }
    return uses;
}

PostgresOptions PostgresDatabase::counted(std::string_view kind) const {
    PostgresOptions options = options_;
    options.connection_counts = std::ranges::find(counts_, kind, &CountedKind::kind)->counts;
    return options;
}

}  // namespace millrace
