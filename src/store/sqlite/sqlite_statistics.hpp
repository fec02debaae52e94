#pragma once

#include <string>

#include "store/statistics.hpp"

namespace millrace::sqlite {

// Asks the file system: the writer is not disturbed.
class SqliteStatistics final : public StatisticsReader {
public:
    explicit SqliteStatistics(std::string path) : path_(std::move(path)) {}

    Result<StoreStatistics> read() override;

private:
    const std::string path_;
};

}  // namespace millrace::sqlite
