#include <gtest/gtest.h>

#include <algorithm>

#include "store/postgres/examine.hpp"
#include "store/postgres/expected_indexes.hpp"
#include "store_postgres_sql.hpp"
#include "support/fake_clock.hpp"
#include "support/postgres_batches.hpp"
#include "support/postgres_server.hpp"

namespace millrace::postgres {
namespace {

class PostgresExamineTest : public testing::Test {
protected:
    PostgresExamineTest() : session_(schema_.target()) {}

    void migrate() { EXPECT_TRUE(PostgresDatabase({.target = schema_.target()}).migrate()); }

    Facts look() { return examine({.target = schema_.target()}, clock_); }

    PostgresSchema schema_;
    PostgresSession session_;
    const FakeClock clock_{Instant(std::chrono::hours(24 * 365 * 50))};
};

TEST_F(PostgresExamineTest, AnEmptySchemaHasNothingAndLacksNothing) {
    const Facts facts = look();
    EXPECT_EQ(facts.unreachable, "");
    EXPECT_EQ(facts.refusals, std::vector<std::string>{});
    EXPECT_EQ(count_pending(facts.migrations), sql::kMigrations.size());
    EXPECT_TRUE(facts.indexes.empty());
    EXPECT_FALSE(facts.overdue.has_value());
    EXPECT_EQ(session_.run("SELECT count(*) "
                           "FROM pg_class WHERE relnamespace = "
                           "current_schema()::regnamespace"),
              "0");
}

TEST_F(PostgresExamineTest, AMigratedSchemaHasAll) {
    migrate();
    const Facts facts = look();
    EXPECT_EQ(facts.refusals, std::vector<std::string>{});
    EXPECT_GE(facts.server.version_number, 140000);
    EXPECT_FALSE(facts.server.is_pooled);
    EXPECT_GT(facts.server.skew, std::chrono::hours(24 * 365));
    EXPECT_EQ(count_pending(facts.migrations), 0u);
    EXPECT_EQ(facts.tables.size(), 6u);
    EXPECT_EQ(facts.settings.at("autovacuum"), "on");
    EXPECT_TRUE(facts.missing_privileges.has_value() && facts.missing_privileges->empty());
    EXPECT_TRUE(facts.overdue.has_value());
    for (const IndexFacts& index : facts.indexes) {
        EXPECT_TRUE(index.is_there && index.is_valid) << index.name;
    }
}

// A migration that makes indexes in another way than the list is made would be found here.
TEST_F(PostgresExamineTest, TheListOfIndexesIsWhole) {
    migrate();
    std::string expected;
    for (const std::string& name : expected_indexes(known_migrations(sql::kMigrations))) {
        expected += (expected.empty() ? "" : "\n") + name;
    }
    EXPECT_EQ(session_.run("SELECT relname "
                           "FROM pg_index JOIN pg_class ON oid = indexrelid WHERE "
                           "relnamespace = current_schema()::regnamespace AND NOT indisunique AND "
                           "NOT relispartition ORDER BY relname COLLATE \"C\""),
              expected);
}

TEST_F(PostgresExamineTest, SeesWhatHoldsBackVacuum) {
    migrate();
    session_.run("BEGIN ISOLATION LEVEL REPEATABLE READ; TABLE job");
    const Facts facts = look();
    const std::string pid = session_.run("SELECT pg_backend_pid()");
    const auto holder = std::ranges::find_if(facts.vacuum_holders, [&](const VacuumHolder& each) {
        return std::to_string(each.pid) == pid;
    });
    ASSERT_NE(holder, facts.vacuum_holders.end());
    EXPECT_EQ(holder->kind, "session");
    EXPECT_EQ(holder->state, "idle in transaction");
    EXPECT_TRUE(holder->since.has_value());
}

TEST_F(PostgresExamineTest, SaysWhyNobodyAnswers) {
    const Facts facts = examine({.target = "host=/nonexistent"}, clock_);
    EXPECT_NE(facts.unreachable.find("No such file or directory"), std::string::npos);
}

}  // namespace
}  // namespace millrace::postgres
