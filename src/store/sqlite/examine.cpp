#include "store/sqlite/examine.hpp"

#include <filesystem>

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

void look_inside(Facts& facts) {
    Result<Connection> connection = Connection::open(facts.path, Connection::Mode::read_only);
    if (!connection) {
        facts.unreadable = connection.error().detail;
        return;
    }
    Result<std::string> finding = quick_finding(*connection);
    facts.damage = finding ? std::move(*finding) : finding.error().detail;
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
    Facts facts{.path = path, .is_there = fs::is_regular_file(path, failure)};
    if (!facts.is_there) return facts;
    facts.holder = FileLock::holder_of(path);
    facts.bytes = size_of(path);
    facts.log_bytes = size_of(log_path(path));
    const fs::space_info space = fs::space(fs::absolute(path).parent_path(), failure);
    facts.bytes_free = failure ? 0 : static_cast<std::int64_t>(space.available);
    look_inside(facts);
    return facts;
}

}  // namespace millrace::sqlite
