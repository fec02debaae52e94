#include <gtest/gtest.h>

#include <algorithm>

#include "store/postgres/postgres_database.hpp"
#include "support/postgres_batches.hpp"
#include "support/postgres_server.hpp"
#include "support/test_node.hpp"

namespace millrace {
namespace {

class PostgresStatisticsTest : public testing::Test {
protected:
    PostgresStatisticsTest()
        : name_("watched_" + PostgresSession(schema_.target()).run("SHOW search_path")),
          database_({.target = target()}) {
        EXPECT_TRUE(database_.migrate());
    }

    // Servers that share a database have one application name.
    std::string target() const { return schema_.target() + "&application_name=" + name_; }

    static StoreStatistics read(Database& database) {
        const Result<StoreStatistics> statistics = database.statistics_reader()->read();
        EXPECT_TRUE(statistics) << (statistics ? "" : statistics.error().detail);
        return statistics ? *statistics : StoreStatistics{};
    }
    StoreStatistics read() { return read(database_); }

    ConnectionUse use_of(std::string_view kind) const {
        const std::vector<ConnectionUse> uses = database_.connection_use();
        const auto found = std::ranges::find(uses, kind, &ConnectionUse::kind);
        return found == uses.end() ? ConnectionUse{} : *found;
    }

    PostgresSchema schema_;
    const std::string name_;
    PostgresDatabase database_;
};

TEST_F(PostgresStatisticsTest, TellsOfSizesAndOfTheLog) {
    const StoreStatistics before = read();
    ASSERT_TRUE(write(*database_.batch_store(), starts(1, 500)));
    const StoreStatistics after = read();
    EXPECT_GT(after.bytes, 0);
    EXPECT_GT(after.log_bytes.value(), before.log_bytes.value());

    std::vector<std::string> names;
    for (const TableStatistics& table : after.tables) names.push_back(table.name);
    EXPECT_EQ(names,
              (std::vector<std::string>{"audit_entry", "commit_mark", "idempotency_key", "instance",
                                        "job", "step_execution", "timer", "user_task"}));
    const auto job = std::ranges::find(after.tables, "job", &TableStatistics::name);
    EXPECT_GT(job->bytes, 0);
}

TEST_F(PostgresStatisticsTest, TellsOfVacuum) {
    ASSERT_TRUE(write(*database_.batch_store(), starts(1, 10)));
    PostgresSession(schema_.target()).run("VACUUM job");
    const StoreStatistics after = read();
    const auto job = std::ranges::find(after.tables, "job", &TableStatistics::name);
    ASSERT_TRUE(job->vacuumed_ago);
    EXPECT_GE(*job->vacuumed_ago, Duration::zero());
    EXPECT_EQ(job->live_rows, 10);
}

TEST_F(PostgresStatisticsTest, TellsForeignTransactionsFromOwnOnes) {
    PostgresSession foreign(schema_.target());
    foreign.run("BEGIN ISOLATION LEVEL REPEATABLE READ; TABLE job");
    const auto store = database_.batch_store();
    for (std::uint64_t n = 1; n <= 10; ++n) ASSERT_TRUE(write(*store, starts(n, n)));
    const StoreStatistics statistics = read();
    EXPECT_GT(statistics.foreign->age, Duration::zero());
    EXPECT_GE(statistics.foreign->snapshot_age, 10);
    EXPECT_EQ(statistics.own, OpenTransactions{}) << "all of them are over";

    ASSERT_TRUE(store->load(footprint_of(1, 1)));
    EXPECT_GT(read().own->age, Duration::zero());
    store->abandon();
}

TEST_F(PostgresStatisticsTest, NeedsNoRightsBeyondTheTables) {
    PostgresSession session(schema_.target());
    const std::string schema = session.run("SHOW search_path");
    const std::string role = "plain_" + schema;
    session.run("CREATE ROLE " + role + "; GRANT USAGE ON SCHEMA " + schema + " TO " + role);
    {
        PostgresSession foreign(schema_.target());
        foreign.run("BEGIN ISOLATION LEVEL REPEATABLE READ; TABLE job");
        const auto store = database_.batch_store();
        for (std::uint64_t n = 1; n <= 10; ++n) ASSERT_TRUE(write(*store, starts(n, n)));
        PostgresDatabase plain({.target = target() + "%20-crole%3D" + role});
        const StoreStatistics statistics = read(plain);
        EXPECT_EQ(statistics.tables.size(), 8u);
        EXPECT_GE(statistics.foreign->snapshot_age, 10) << "seen without pg_read_all_stats";
    }
    session.run("DROP OWNED BY " + role + "; DROP ROLE " + role);
}

TEST_F(PostgresStatisticsTest, CountsConnectionsByKind) {
    EXPECT_EQ(use_of("committer").open, 0);
    {
        const auto store = database_.batch_store();
        ASSERT_TRUE(write(*store, starts(1, 1)));
        const ConnectionUse use = use_of("committer");
        EXPECT_EQ(use.open, 1);
        EXPECT_EQ(use.busy, 0);
        EXPECT_EQ(use.connects, 1u);
        EXPECT_EQ(use_of("reader").open, 0);
    }
    EXPECT_EQ(use_of("committer").open, 0);
    EXPECT_EQ(use_of("committer").connects, 1u);

    PostgresDatabase unreachable({.target = "host=/nowhere"});
    EXPECT_FALSE(unreachable.statistics_reader()->read());
    const std::vector<ConnectionUse> uses = unreachable.connection_use();
    const auto statistics = std::ranges::find(uses, "statistics", &ConnectionUse::kind);
    EXPECT_EQ(statistics->connect_failures, 1u);
}

constexpr std::string_view kOneTask = R"({"id": "one", "name": "One", "steps": [
    {"id": "a", "name": "A", "type": "SERVICE_TASK", "jobType": "t", "nextStep": "end"},
    {"id": "end", "name": "End", "type": "END"}]})";

// Goal: a poll that others outran is told from one that finds nothing. Method: another session
// holds the lock of the only job, then gives it back.
TEST_F(PostgresStatisticsTest, APollThatOthersOutrunIsNoEmptyPoll) {
    FakeClock clock{kNoon};
    TestNode node(database_, clock);
    node.upload(kOneTask);
    EXPECT_TRUE(node.poll("t").empty());
    EXPECT_EQ(node.listener().empty_polls, 1);
    EXPECT_EQ(node.listener().claim_conflicts, 0);

    ASSERT_TRUE(node.start("one"));
    PostgresSession rival(schema_.target());
    rival.run("BEGIN; TABLE job FOR NO KEY UPDATE");
    EXPECT_TRUE(node.poll("t").empty());
    EXPECT_EQ(node.listener().empty_polls, 1);
    EXPECT_EQ(node.listener().claim_conflicts, 1);

    rival.run("ROLLBACK");
    EXPECT_EQ(node.poll("t").size(), 1u);
    EXPECT_TRUE(node.poll("t").empty()) << "LOCKED now, so nobody could have had it";
    EXPECT_EQ(node.listener().empty_polls, 2);
    EXPECT_EQ(node.listener().claim_conflicts, 1);
}

}  // namespace
}  // namespace millrace
