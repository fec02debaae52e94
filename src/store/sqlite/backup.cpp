#include "store/sqlite/backup.hpp"

#include <fcntl.h>
#include <sqlite3.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <functional>
#include <memory>
#include <system_error>

#include "store/sqlite/database_file.hpp"
#include "store/sqlite/file_lock.hpp"
#include "store/sqlite/migrate.hpp"
#include "store/sqlite/sqlite_error.hpp"
#include "store/sqlite/unclean_stop.hpp"
#include "store_sqlite_sql.hpp"

namespace millrace::sqlite {

namespace {

constexpr int kPagesPerStep = 1024;  // 4 MiB: between two steps it may be told to end.

struct CloseFile {
    void operator()(sqlite3* database) const { sqlite3_close_v2(database); }
};
using File = std::unique_ptr<sqlite3, CloseFile>;

Result<File> create_file(const std::string& path) {
    if (Status status = make_private_file(path); !status) return status.error();
    sqlite3* opened = nullptr;
    const int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX;
    const int code = sqlite3_open_v2(path.c_str(), &opened, flags, nullptr);
    File file(opened);
    if (code != SQLITE_OK) return to_error(code);
    return file;
}

// The source has a reading transaction open, so that every step sees the same state.
Status copy_pages(sqlite3* source, sqlite3* target, const std::function<bool()>& goes_on) {
    sqlite3_backup* backup = sqlite3_backup_init(target, "main", source, "main");
    if (backup == nullptr) return to_error(sqlite3_extended_errcode(target));
    int code = SQLITE_OK;
    bool is_wanted = true;
    while (code == SQLITE_OK && is_wanted) {
        code = sqlite3_backup_step(backup, kPagesPerStep);
        is_wanted = !goes_on || goes_on();
    }
    const int end = sqlite3_backup_finish(backup);
    if (!is_wanted) return Error{ErrorCode::unavailable, "The server is stopping."};
    if (code != SQLITE_DONE) return to_error(code);
    return end == SQLITE_OK ? ok() : Status(to_error(end));
}

// A reading transaction begins with its first look at the data.
Status begin_snapshot(Connection& source) {
    if (Status status = source.begin_read(); !status) return status;
    return source.run(sql::read_migrations);
}

void remove_with_logs(const std::string& path) {
    std::error_code ignored;
    for (const char* suffix : {"", "-wal", "-shm", "-journal"}) {
        std::filesystem::remove(path + suffix, ignored);
    }
}

// So that a new name in a folder outlives a failure of the machine.
void flush_folder(const std::string& path) {
    const auto folder = std::filesystem::absolute(path).parent_path();
    const int descriptor = open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (descriptor < 0) return;
    (void)fsync(descriptor);  // Some file systems know no such thing.
    close(descriptor);
}

Status put_in_place(const std::string& part, const std::string& path) {
    std::error_code failure;
    std::filesystem::rename(part, path, failure);
    if (failure) {
        remove_with_logs(part);
        return Error{ErrorCode::unavailable,
                     path + " cannot be written: " + failure.message() + "."};
    }
    flush_folder(path);
    return ok();
}

Status copy_in_place(Connection& source, const std::string& path) {
    const std::string part = path + ".part";
    remove_with_logs(part);
    if (Status status = copy_database(source, part); !status) return status;
    if (Status status = check_backup(part); !status) {
        remove_with_logs(part);
        return status;
    }
    return put_in_place(part, path);
}

Error not_a_backup(const std::string& path, const std::string& why) {
    return {ErrorCode::data_refused, path + " is no backup of Millrace: " + why};
}

bool has_our_tables(Connection& connection) {
    const int code =
        sqlite3_table_column_metadata(connection.handle(), "main", "schema_migration", nullptr,
                                      nullptr, nullptr, nullptr, nullptr, nullptr);
    return code != SQLITE_ERROR;  // Any other trouble is met, and told, by whoever reads them.
}

Result<Connection> open_backup(const std::string& path) {
    std::error_code failure;
    if (!std::filesystem::is_regular_file(path, failure)) {
        return Error{ErrorCode::not_found, "There is no file " + path + "."};
    }
    if (access(path.c_str(), R_OK) != 0) {
        return Error{ErrorCode::unavailable,
                     path + " cannot be read: " + std::generic_category().message(errno) + "."};
    }
    if (std::filesystem::file_size(path, failure) == 0) return not_a_backup(path, "it is empty.");
    Result<Connection> opened = Connection::open(path, Connection::Mode::immutable);
    const bool is_foreign = !opened && opened.error().code == ErrorCode::internal;
    if (is_foreign) return not_a_backup(path, "it is no database.");
    return opened;
}

}  // namespace

Status copy_database(Connection& source, const std::string& path,
                     const std::function<bool()>& goes_on) {
    Result<File> target = create_file(path);
    if (!target) return target.error();
    Status status = begin_snapshot(source);
    if (status) status = copy_pages(source.handle(), target->get(), goes_on);
    (void)source.rollback();  // It has only read.
    target->reset();
    if (!status) remove_with_logs(path);
    return status;
}

Status check_backup(const std::string& path) {
    Result<Connection> connection = open_backup(path);
    if (!connection) return connection.error();
    if (!has_our_tables(*connection)) return not_a_backup(path, "its tables are missing.");
    const Status schema = check_schema(*connection, sql::kMigrations);
    if (!schema && schema.error().code == ErrorCode::conflict) return schema;
    if (!schema) return not_a_backup(path, schema.error().detail);
    const Result<std::string> finding = finding_of(*connection, sql::integrity_check);
    if (!finding) return finding.error();
    if (finding->empty()) return ok();
    return Error{ErrorCode::data_refused, path + " is damaged: " + *finding + "."};
}

Status restore_backup(const std::string& backup, const std::string& path) {
    Result<Connection> source = open_backup(backup);
    if (!source) return source.error();
    return copy_in_place(*source, path);
}

Status back_up_closed_database(const std::string& name, const std::string& backup) {
    const std::string path = behind_links(name);
    if (!std::filesystem::is_regular_file(path)) {
        return Error{ErrorCode::not_found, "There is no database at " + path + "."};
    }
    FileLock lock;
    if (Status status = lock.take(path); !status) return status;
    // A log that was left behind stays: it tells the next server that the last one was killed, and
    // that tokens must rise (docs/adr/0007).
    const auto mode = has_log(path) ? Connection::Mode::log_kept : Connection::Mode::immutable;
    Result<Connection> source = Connection::open(path, mode);
    if (!source) return source.error();
    return copy_in_place(*source, backup);
}

}  // namespace millrace::sqlite
