#include "store/sqlite/unclean_stop.hpp"

#include <filesystem>

#include "store_sqlite_sql.hpp"

namespace millrace::sqlite {

std::string log_path(const std::string& path) {
    return path + "-wal";
}

bool has_log(const std::string& path) {
    std::error_code failure;
    const std::uintmax_t size = std::filesystem::file_size(log_path(path), failure);
    return !failure && size > 0;
}

Result<std::string> quick_finding(Connection& connection) {
    std::string finding;
    const auto note = [&](const Row& row) {
        if (finding.empty() && row.text(0) != "ok") finding = row.text(0);
        return ok();
    };
    const Status status = connection.for_each(sql::quick_check, note);
    if (!status) return status.error();
    return finding;
}

}  // namespace millrace::sqlite
