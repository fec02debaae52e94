#include "store/sqlite/examine.hpp"

#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <system_error>

#include "store/sqlite/database_file.hpp"
#include "store/sqlite/file_lock.hpp"
#include "store/sqlite/migrate.hpp"
#include "store/sqlite/unclean_stop.hpp"
#include "store_sqlite_sql.hpp"

namespace millrace::sqlite {

namespace {

namespace fs = std::filesystem;

std::int64_t size_of(const std::string& path) {
    std::error_code failure;
    const std::uintmax_t size = fs::file_size(path, failure);
    return failure ? 0 : static_cast<std::int64_t>(size);
}

// Why the file cannot be used in that way; "": it can.
std::string refusal(const std::string& path, int use) {
    return access(path.c_str(), use) == 0 ? "" : std::generic_category().message(errno);
}

// Why nothing can be seen of it; "": it can be, or it is not there.
std::string why_hidden(const std::string& path) {
    std::error_code failure;
    const fs::file_status status = fs::status(path, failure);
    if (status.type() == fs::file_type::not_found) return "";
    if (status.type() == fs::file_type::directory) return path + " is a directory.";
    const std::string why = failure ? failure.message() : refusal(path, R_OK);
    return why.empty() ? "" : path + " cannot be read: " + why + ".";
}

// SQLite also writes beside it.
std::string why_unwritable(const std::string& path) {
    const std::string why = refusal(path, W_OK);
    return why.empty() ? refusal(fs::absolute(path).parent_path(), W_OK) : why;
}

void look_inside(Facts& facts) {
    Result<Connection> connection = Connection::open(facts.path, Connection::Mode::read_only);
    if (!connection) {
        facts.unreadable = connection.error().detail;
        return;
    }
    Result<std::string> finding = quick_finding(*connection);
    facts.damage = finding ? *finding : finding.error().detail;
    Result<std::vector<MigrationStatus>> migrations = compare(*connection, sql::kMigrations);
    if (migrations) {
        facts.migrations = std::move(*migrations);
    } else {
        facts.unreadable = migrations.error().detail;
    }
}

}  // namespace

Facts examine(const std::string& name) {
    std::error_code failure;
    const std::string path = behind_links(name);
    Facts facts{
        .path = path, .is_there = fs::is_regular_file(path, failure), .hidden = why_hidden(path)};
    if (!facts.is_there || !facts.hidden.empty()) return facts;
    facts.unwritable = why_unwritable(path);
    facts.holder = FileLock::holder_of(path);
    facts.bytes = size_of(path);
    facts.log_bytes = size_of(log_path(path));
    const fs::space_info space = fs::space(fs::absolute(path).parent_path(), failure);
    facts.bytes_free = failure ? 0 : static_cast<std::int64_t>(space.available);
    look_inside(facts);
    return facts;
}

}  // namespace millrace::sqlite
