#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "store/database.hpp"
#include "store/definition_cache.hpp"

namespace millrace {

namespace postgres {
struct ConnectionCounts;
}

struct PostgresOptions {
    // URL or keywords, as libpq takes them; what is left out comes from the PG* variables. Tables
    // lie in the first schema of the search path, which `options=-csearch_path=…` can set.
    std::string target{};
    // Off for poolers that give each transaction another connection of theirs.
    bool prepared_statements = true;
    // Longer than any sound batch takes, shorter than a client's patience.
    Duration statement_timeout = std::chrono::seconds(30);
    // How long a batch waits for rows that somebody else has locked before it goes on without them.
    Duration lock_timeout = std::chrono::seconds(1);
    // How long a transaction may wait for us. Shorter than the tries of a batch that waits for its
    // locks, so that a frozen server costs the others a delay and no failure.
    Duration idle_timeout = std::chrono::seconds(10);
    // How long the answers to one round trip may take: a server, or what is in between, that has
    // been silent for longer is given up. Longer than the statements of a sound batch together.
    Duration answer_patience = std::chrono::seconds(75);
    int committer_count = 2;
    // Called with the server's time when the schema is up to date, after each load, and whenever
    // the cluster is asked who is there; on the thread of that.
    std::function<void(Instant)> on_server_time{};
    // Names this process to the others: drawn at its start.
    Id128 replica_id{};
    // Where a connection can wait for messages; empty: at the target.
    std::string listen_target{};
    // Off where there is no such place, as behind a transaction pooler.
    bool can_listen = true;
    // Where connections that are made with these options are counted; null: nowhere.
    std::shared_ptr<postgres::ConnectionCounts> connection_counts{};
    // Told why there is no connection or why a statement fails, for the log. Any thread.
    std::function<void(std::string_view trouble)> on_trouble{};
    MigrationNote on_migrated{};
    // For tests: see postgres::ConnectionOptions. On the thread of the connection.
    std::function<void(std::string_view name)> before_call{};
};

// State in PostgreSQL 14 or newer, shared by any number of processes.
class PostgresDatabase final : public Database {
public:
    explicit PostgresDatabase(PostgresOptions options);

    Status migrate() override;
    Result<std::vector<MigrationStatus>> migrations() override;
    std::unique_ptr<BatchStore> batch_store() override;
    std::unique_ptr<JobClaimer> job_claimer() override;
    std::unique_ptr<Reader> reader() override;
    std::unique_ptr<HintSender> hint_sender() override;
    std::unique_ptr<HintListener> hint_listener() override;
    std::unique_ptr<Cluster> cluster() override;
    std::unique_ptr<Upkeep> upkeep() override;
    std::unique_ptr<LockTable> lock_table(const std::string& table) override;
    std::unique_ptr<StatisticsReader> statistics_reader() override;
    std::vector<ConnectionUse> connection_use() const override;
    int committer_count() const override { return options_.committer_count; }
    bool is_shared() const override { return true; }

private:
    struct CountedKind {
        std::string_view kind{};
        std::shared_ptr<postgres::ConnectionCounts> counts{};
    };

    // The options for connections of one kind.
    PostgresOptions counted(std::string_view kind) const;

    const PostgresOptions options_;
    const std::vector<CountedKind> counts_;
    const std::shared_ptr<DefinitionCache> definitions_;
};

}  // namespace millrace
