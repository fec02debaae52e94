#include "store/sqlite/sqlite_database.hpp"

#include <filesystem>

#include "store/sqlite/migrate.hpp"
#include "store/sqlite/sqlite_batch_store.hpp"
#include "store/sqlite/sqlite_job_claimer.hpp"
#include "store/sqlite/sqlite_reader.hpp"
#include "store_sqlite_sql.hpp"

namespace millrace {

namespace {

Status make_folders(const std::filesystem::path& path) {
    std::error_code failure;
    if (path.has_parent_path()) std::filesystem::create_directories(path.parent_path(), failure);
    if (!failure) return ok();
    return Error{ErrorCode::unavailable,
                 path.parent_path().string() + " cannot be made: " + failure.message() + "."};
}

// SQLite removes its log when the last connection closes: one that is there was left by a process
// that did not end by itself.
bool has_log(const std::string& path) {
    std::error_code failure;
    const std::uintmax_t size = std::filesystem::file_size(path + "-wal", failure);
    return !failure && size > 0;
}

}  // namespace

SqliteDatabase::SqliteDatabase(std::string path) : path_(std::move(path)), writer_(path_) {}

Status SqliteDatabase::migrate() {
    if (Status status = make_folders(path_); !status) return status;
    if (Status status = lock_.take(path_); !status) return status;
    const bool was_interrupted = has_log(path_);
    Result<sqlite::Connection> connection =
        sqlite::Connection::open(path_, sqlite::Connection::Mode::read_write);
    if (!connection) return connection.error();
    if (Status status = sqlite::migrate(*connection, sqlite::sql::kMigrations); !status) {
        return status;
    }
    if (was_interrupted) {
        const Status raised = connection->run(sqlite::sql::raise_lease_tokens);
        if (!raised) return raised;
    }
    // The file is ours alone, so nobody is in doubt about a batch of before.
    return connection->run(sqlite::sql::delete_commit_marks, std::nullopt, 0);
}

std::unique_ptr<BatchStore> SqliteDatabase::batch_store() {
    return std::make_unique<sqlite::SqliteBatchStore>(writer_, definitions_);
}

std::unique_ptr<JobClaimer> SqliteDatabase::job_claimer() {
    return std::make_unique<sqlite::SqliteJobClaimer>(writer_);
}

std::unique_ptr<Reader> SqliteDatabase::reader() {
    return std::make_unique<sqlite::SqliteReader>(path_);
}

}  // namespace millrace
