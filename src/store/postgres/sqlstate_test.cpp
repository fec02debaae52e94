#include "store/postgres/sqlstate.hpp"

#include <gtest/gtest.h>

namespace millrace::postgres {
namespace {

struct Row {
    std::string_view sqlstate{};
    ErrorCode code = ErrorCode::internal;
};

TEST(SqlstateTest, TheClassDecidesHowTheCallerReacts) {
    const Row rows[] = {
        {"22021", ErrorCode::data_refused},  // A zero byte in a text.
        {"22008", ErrorCode::data_refused},  // A time out of range.
        {"23505", ErrorCode::data_refused},  // A key that is there already.
        {"54000", ErrorCode::data_refused},  // Too large for an index.
        {"08006", ErrorCode::unavailable},   // The connection failed.
        {"0A000", ErrorCode::unavailable},   // A cached plan that no longer fits.
        {"25P03", ErrorCode::unavailable},   // Idle in a transaction for too long.
        {"26000", ErrorCode::unavailable},   // A prepared statement that a pooler has lost.
        {"42P05", ErrorCode::unavailable},   // One that another client of the pooler has prepared.
        {"40P01", ErrorCode::unavailable},   // A deadlock.
        {"53300", ErrorCode::unavailable},   // Too many connections.
        {"55P03", ErrorCode::unavailable},   // A lock was not to be had in time.
        {"57P01", ErrorCode::unavailable},   // The server shuts down.
        {"58030", ErrorCode::unavailable},   // Its disk failed.
        {"42P01", ErrorCode::internal},      // No such table.
        {"42501", ErrorCode::internal},      // Not allowed.
        {"XX000", ErrorCode::internal},
    };
    for (const Row& row : rows) {
        EXPECT_EQ(code_of_sqlstate(row.sqlstate), row.code) << row.sqlstate;
    }
}

TEST(SqlstateTest, AKnownFailureOfOneTransactionIsNotAStoreThatIsAway) {
    const std::pair<std::string_view, Unavailable> rows[] = {
        {"55P03", Unavailable::locked},   // A lock was not to be had in time.
        {"57014", Unavailable::overrun},  // The statement timeout.
        {"25P03", Unavailable::overrun},  // Idle in a transaction: deciding took too long.
        {"40P01", Unavailable::overrun},  // A deadlock.
        {"40001", Unavailable::overrun}, {"53100", Unavailable::full}, {"53300", Unavailable::away},
        {"57P01", Unavailable::away},    {"08006", Unavailable::away},
    };
    for (const auto& [sqlstate, why] : rows) EXPECT_EQ(why_unavailable(sqlstate), why) << sqlstate;
}

TEST(SqlstateTest, NoAnswerAndClass08MeanThatTheConnectionFailed) {
    EXPECT_TRUE(is_connection_failure(""));
    EXPECT_TRUE(is_connection_failure("08P01"));
    EXPECT_FALSE(is_connection_failure("57P01"));
    EXPECT_FALSE(is_connection_failure("22021"));
}

}  // namespace
}  // namespace millrace::postgres
