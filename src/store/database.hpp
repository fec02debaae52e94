#pragma once

#include <memory>
#include <string>
#include <vector>

#include "store/backup_file.hpp"
#include "store/batch_store.hpp"
#include "store/cluster.hpp"
#include "store/connection_use.hpp"
#include "store/hints.hpp"
#include "store/job_claimer.hpp"
#include "store/lock_table.hpp"
#include "store/migrations.hpp"
#include "store/reader.hpp"
#include "store/statistics.hpp"
#include "store/upkeep.hpp"

namespace millrace {

// A place that keeps state, and the way to connections to it. Thread-safe.
class Database {
public:
    virtual ~Database() = default;

    // Brings the schema up to this program's version, under a lock, each migration in a transaction
    // of its own. conflict: the schema is newer than this program, or a migration that was applied
    // has changed since. Called once, before anything else.
    virtual Status migrate() = 0;

    // What migrate has done and would do, without changing anything; may be called before it.
    // not_found: there is no store yet.
    virtual Result<std::vector<MigrationStatus>> migrations() {
        return std::vector<MigrationStatus>{};
    }

    // Connections are made on first use: these do not block and do not fail.
    virtual std::unique_ptr<BatchStore> batch_store() = 0;
    virtual std::unique_ptr<JobClaimer> job_claimer() = 0;
    virtual std::unique_ptr<Reader> reader() = 0;

    // Null on a store that one process has to itself: there is nobody to tell.
    virtual std::unique_ptr<HintSender> hint_sender() { return nullptr; }
    // Null also where no connection can wait for messages, as behind a transaction pooler.
    virtual std::unique_ptr<HintListener> hint_listener() { return nullptr; }
    virtual std::unique_ptr<Cluster> cluster() { return nullptr; }
    // Null on a store without partitions.
    virtual std::unique_ptr<Upkeep> upkeep() { return nullptr; }

    // Locks in a table of that name; null on a store that cannot have one.
    virtual std::unique_ptr<LockTable> lock_table(const std::string& /*table*/) { return nullptr; }

    // Null on a store that has nothing to tell.
    virtual std::unique_ptr<StatisticsReader> statistics_reader() { return nullptr; }
    // Of all connections that were made here, by kind. Does not block. Empty on a store without
    // any.
    virtual std::vector<ConnectionUse> connection_use() const { return {}; }

    // How many committers serve it best (docs/adr/0002).
    virtual int committer_count() const = 0;

    // A copy of everything, as it was at one moment of the call, beside the store. Commits go on
    // meanwhile; the call takes as long as reading all of it. conflict: a store of this kind has
    // better tools of its own.
    virtual Result<std::shared_ptr<const BackupFile>> back_up() {
        return Error{ErrorCode::conflict,
                     "Only the embedded store is backed up here: use pg_dump for PostgreSQL."};
    }
    // Ends a copy that is being made, soon and with unavailable, and refuses others. For a process
    // that ends; any thread.
    virtual void stop_backups() {}

    // Whether other processes may change the state too.
    virtual bool is_shared() const = 0;
};

}  // namespace millrace
