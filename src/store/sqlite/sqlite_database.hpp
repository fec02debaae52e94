#pragma once

#include <atomic>
#include <string>

#include "base/clock.hpp"
#include "observe/log.hpp"
#include "store/database.hpp"
#include "store/definition_cache.hpp"
#include "store/sqlite/file_lock.hpp"
#include "store/sqlite/writer.hpp"

namespace millrace {

// Who is told what happens at start. Log and clock: both or neither.
struct SqliteObserver {
    observe::Log* log = nullptr;
    const Clock* clock = nullptr;
    MigrationNote on_migrated{};
    sqlite::TroubleNote on_trouble{};  // Of what goes wrong later.
};

// State in one file, for one process. It outlives its connections. migrate also makes the folders
// of the path, and fails with conflict while another process has the file. When the process before
// did not end by itself, it reads the whole file first; internal: it is damaged.
class SqliteDatabase final : public Database {
public:
    explicit SqliteDatabase(const std::string& path, SqliteObserver observer = {});

    Status migrate() override;
    Result<std::vector<MigrationStatus>> migrations() override;
    std::unique_ptr<BatchStore> batch_store() override;
    std::unique_ptr<JobClaimer> job_claimer() override;
    std::unique_ptr<Reader> reader() override;
    std::unique_ptr<LockTable> lock_table(const std::string& table) override;
    std::unique_ptr<StatisticsReader> statistics_reader() override;
    Result<std::shared_ptr<const BackupFile>> back_up() override;
    void stop_backups() override { is_ending_ = true; }
    int committer_count() const override { return 1; }
    bool is_shared() const override { return false; }

private:
    Status check(sqlite::Connection& connection) const;

    std::string path_;
    SqliteObserver observer_;
    std::atomic<int> backup_count_ = 0;
    std::atomic<bool> is_ending_ = false;
    sqlite::FileLock lock_;
    sqlite::Writer writer_;
    DefinitionCache definitions_;
};

}  // namespace millrace
