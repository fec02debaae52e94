#include "store/sqlite/sqlite_statistics.hpp"

#include <filesystem>

namespace millrace::sqlite {

Result<StoreStatistics> SqliteStatistics::read() {
    std::error_code error;
    const std::uintmax_t database = std::filesystem::file_size(path_, error);
    if (error) return Error{ErrorCode::unavailable, "The size of the file cannot be read."};
    const std::uintmax_t log = std::filesystem::file_size(path_ + "-wal", error);
    StoreStatistics statistics;
    statistics.bytes = static_cast<std::int64_t>(error ? database : database + log);
    return statistics;
}

}  // namespace millrace::sqlite
