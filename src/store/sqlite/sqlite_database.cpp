#include "store/sqlite/sqlite_database.hpp"

#include <filesystem>

#include "store/sqlite/backup.hpp"
#include "store/sqlite/database_file.hpp"
#include "store/sqlite/migrate.hpp"
#include "store/sqlite/sqlite_batch_store.hpp"
#include "store/sqlite/sqlite_job_claimer.hpp"
#include "store/sqlite/sqlite_lock_table.hpp"
#include "store/sqlite/sqlite_reader.hpp"
#include "store/sqlite/sqlite_statistics.hpp"
#include "store/sqlite/unclean_stop.hpp"
#include "store_sqlite_sql.hpp"

namespace millrace {

namespace {

// A new one is for its owner alone: it will hold whatever workflows hold.
Status make_folders(const std::filesystem::path& path) {
    namespace fs = std::filesystem;
    std::error_code failure;
    if (path.has_parent_path() && fs::create_directories(path.parent_path(), failure)) {
        fs::permissions(path.parent_path(), fs::perms::owner_all, failure);
    }
    if (!failure) return ok();
    return Error{ErrorCode::unavailable,
                 path.parent_path().string() + " cannot be made: " + failure.message() + "."};
}

constexpr std::string_view kBackupSuffix = ".backup-";

// Copies that a process left which did not end by itself.
void remove_old_backups(const std::filesystem::path& path) {
    const std::string prefix = path.filename().string() + std::string(kBackupSuffix);
    const auto folder = path.has_parent_path() ? path.parent_path() : std::filesystem::path(".");
    std::error_code ignored;  // They are in nobody's way.
    for (const auto& entry : std::filesystem::directory_iterator(folder, ignored)) {
        if (entry.path().filename().string().starts_with(prefix)) {
            std::filesystem::remove(entry.path(), ignored);
        }
    }
}

Error damaged(const std::string& path, const std::string& finding) {
    return {ErrorCode::internal,
            path + " is damaged: " + finding +
                " Restore a backup into another directory: millrace restore --from FILE "
                "--data-dir DIRECTORY."};
}

}  // namespace

SqliteDatabase::SqliteDatabase(const std::string& path, SqliteObserver observer)
    : path_(sqlite::behind_links(path)),
      observer_(std::move(observer)),
      writer_(path_, observer_.on_trouble) {}

Status SqliteDatabase::migrate() {
    if (Status status = make_folders(path_); !status) return status;
    if (Status status = lock_.take(path_); !status) return status;
    if (Status status = sqlite::check_writable(path_); !status) return status;
    remove_old_backups(path_);
    const bool was_interrupted = sqlite::has_log(path_);
    Result<sqlite::Connection> connection =
        sqlite::Connection::open(path_, sqlite::Connection::Mode::read_write);
    if (!connection) {
        const bool is_damaged = connection.error().code == ErrorCode::internal;
        return is_damaged ? damaged(path_, connection.error().detail) : connection.error();
    }
    if (was_interrupted) {
        if (Status status = check(*connection); !status) return status;
    }
    if (Status status =
            sqlite::migrate(*connection, sqlite::sql::kMigrations, observer_.on_migrated);
        !status) {
        return status;
    }
    if (was_interrupted) {
        const Status raised = connection->run(sqlite::sql::raise_lease_tokens);
        if (!raised) return raised;
    }
    // The file is ours alone, so nobody is in doubt about a batch of before.
    return connection->run(sqlite::sql::delete_commit_marks, std::nullopt, 0);
}

Result<std::vector<MigrationStatus>> SqliteDatabase::migrations() {
    if (!std::filesystem::is_regular_file(path_)) {
        return Error{ErrorCode::not_found, "There is no database at " + path_ + "."};
    }
    Result<sqlite::Connection> connection =
        sqlite::Connection::open(path_, sqlite::Connection::Mode::read_only);
    if (!connection) return connection.error();
    return sqlite::compare(*connection, sqlite::sql::kMigrations);
}

Status SqliteDatabase::check(sqlite::Connection& connection) const {
    const bool is_told = observer_.log != nullptr;
    const Instant began = is_told ? observer_.clock->now() : Instant{};
    if (is_told) observer_.log->warn("The last stop was not a clean one: checking the database.");
    const Result<std::string> finding = sqlite::quick_finding(connection);
    if (!finding && finding.error().code != ErrorCode::internal) return finding.error();
    if (!finding) return damaged(path_, finding.error().detail);
    if (!finding->empty()) return damaged(path_, *finding + ".");
    if (is_told) {
        const Duration took = observer_.clock->now() - began;
        const auto milliseconds = std::chrono::duration_cast<std::chrono::milliseconds>(took);
        observer_.log->info("The database is sound.", {{"milliseconds", milliseconds.count()}});
    }
    return ok();
}

Result<std::shared_ptr<const BackupFile>> SqliteDatabase::back_up() {
    auto copy = std::make_shared<const BackupFile>(path_ + std::string(kBackupSuffix) +
                                                   std::to_string(++backup_count_));
    Result<sqlite::Connection> source =
        sqlite::Connection::open(path_, sqlite::Connection::Mode::read_only);
    if (!source) return source.error();
    const auto goes_on = [this] {
        return !is_ending_;
    };
    if (Status status = sqlite::copy_database(*source, copy->path(), goes_on); !status) {
        return status.error();
    }
    return copy;
}

std::unique_ptr<BatchStore> SqliteDatabase::batch_store() {
    return std::make_unique<sqlite::SqliteBatchStore>(writer_, definitions_);
}

std::unique_ptr<JobClaimer> SqliteDatabase::job_claimer() {
    return std::make_unique<sqlite::SqliteJobClaimer>(writer_);
}

std::unique_ptr<Reader> SqliteDatabase::reader() {
    return std::make_unique<sqlite::SqliteReader>(path_, observer_.on_trouble);
}

std::unique_ptr<LockTable> SqliteDatabase::lock_table(const std::string& table) {
    return std::make_unique<sqlite::SqliteLockTable>(writer_, path_, table);
}

std::unique_ptr<StatisticsReader> SqliteDatabase::statistics_reader() {
    return std::make_unique<sqlite::SqliteStatistics>(path_);
}

}  // namespace millrace
