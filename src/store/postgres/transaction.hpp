#pragma once

#include <vector>

#include "store/postgres/connection.hpp"
#include "store/postgres/postgres_database.hpp"

namespace millrace::postgres {

// Each statement sees what was committed before it: rows are read as they are when locked.
inline constexpr const char* kBeginWriting = "BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE";

ConnectionOptions connection_options(const PostgresOptions& options);

// How a transaction is planned. `once`: each statement keeps its first plan. `anew`: for statements
// whose best plan depends on which values are null.
enum class Planning { once, anew };

// The first calls of every transaction, which belong together; each has one answer.
inline constexpr std::size_t kOpeningCalls = 2;
std::vector<Call> opening(const char* begin, const PostgresOptions& options,
                          Planning planning = Planning::once);

// One transaction of its own in one round trip. Gives back the answers to `work` alone.
Result<std::vector<Rows>> run_transaction(Connection& connection, const char* begin,
                                          const PostgresOptions& options, std::vector<Call> work);

// The server's time.
Result<Instant> read_clock(Connection& connection);

// What the opening tells about the transaction.
struct TransactionName {
    std::int32_t pid = 0;
    Instant started_at{};
    Id128 random{};
};
TransactionName transaction_name(const std::vector<Rows>& answers);

}  // namespace millrace::postgres
