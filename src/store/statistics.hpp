#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "base/time.hpp"

namespace millrace {

// All parts of a partitioned table together.
struct TableStatistics {
    std::string name{};
    std::int64_t bytes = 0;  // With its indexes and what lies out of line.
    std::int64_t live_rows = 0;
    std::int64_t dead_rows = 0;
    std::optional<Duration> vacuumed_ago{};  // Empty: never, as far as is known.

    friend bool operator==(const TableStatistics&, const TableStatistics&) = default;
};

// The oldest of a group's transactions, zero when none is open. Vacuum cannot remove a row that
// died after the oldest snapshot was taken.
struct OpenTransactions {
    Duration age{};
    std::int64_t snapshot_age = 0;  // In transactions.

    friend bool operator==(const OpenTransactions&, const OpenTransactions&) = default;
};

// What a store knows of itself, for those who watch it. Empty: this store, or this account, cannot
// tell.
struct StoreStatistics {
    std::int64_t bytes = 0;
    std::optional<std::int64_t> log_bytes{};  // Ever written to the write-ahead log.
    std::optional<OpenTransactions> own{};    // Of Millrace servers on this database.
    std::optional<OpenTransactions> foreign{};
    std::vector<TableStatistics> tables{};
};

// One connection that reads figures of the store, each call taking milliseconds, so not for every
// request. Same rules as for Reader.
class StatisticsReader {
public:
    virtual ~StatisticsReader() = default;

    virtual Result<StoreStatistics> read() = 0;
};

}  // namespace millrace
