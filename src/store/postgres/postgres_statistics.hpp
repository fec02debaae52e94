#pragma once

#include "store/postgres/transaction.hpp"
#include "store/statistics.hpp"

namespace millrace::postgres {

// Needs no rights beyond those of the tables' owner; with pg_read_all_stats it sees how long the
// transactions of other accounts have been open.
class PostgresStatistics final : public StatisticsReader {
public:
    explicit PostgresStatistics(PostgresOptions options);

    Result<StoreStatistics> read() override;

private:
    const PostgresOptions options_;
    Connection connection_;
};

}  // namespace millrace::postgres
