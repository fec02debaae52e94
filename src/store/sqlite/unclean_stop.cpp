#include "store/sqlite/unclean_stop.hpp"

#include <algorithm>
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

std::string first_finding(std::string_view findings) {
    constexpr std::string_view kHeading = "*** in database ";
    if (findings == "ok") return "";
    if (findings.starts_with(kHeading)) {
        findings.remove_prefix(std::min(findings.find('\n'), findings.size() - 1) + 1);
    }
    return std::string(findings.substr(0, findings.find('\n')));
}

Result<std::string> finding_of(Connection& connection, const sql::Statement& check) {
    std::string finding;
    const auto note = [&](const Row& row) {
        if (finding.empty()) finding = first_finding(row.text(0));
        return ok();
    };
    const Status status = connection.for_each(check, note);
    if (!status) return status.error();
    return finding;
}

Result<std::string> quick_finding(Connection& connection) {
    return finding_of(connection, sql::quick_check);
}

}  // namespace millrace::sqlite
