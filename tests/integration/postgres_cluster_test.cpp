#include "store/postgres/postgres_cluster.hpp"

#include <gtest/gtest.h>

#include "support/postgres_server.hpp"

namespace millrace::postgres {
namespace {

using namespace std::chrono_literals;

class PostgresClusterTest : public testing::Test {
protected:
    PostgresClusterTest() { EXPECT_TRUE(database_.migrate()); }

    // What a duty does: states its lease, then works.
    Status act_under(const DutyLease& lease) {
        std::vector<Call> calls;
        calls.push_back(lease_check(lease));
        Connection connection(connection_options({.target = schema_.target()}));
        const auto answers = run_transaction(connection, "BEGIN", {}, std::move(calls));
        return answers ? ok() : Status(answers.error());
    }

    void make_silent_for(const std::string& time) {
        session_.run(
            "ALTER TABLE replica ALTER seen_at TYPE timestamptz USING seen_at - interval '" + time +
            "'");
    }

    static Replica replica(std::uint64_t n) {
        return {.id = {7, n}, .name = "host:" + std::to_string(n), .version = "1.2"};
    }

    PostgresSchema schema_;
    Instant server_time_{};
    PostgresDatabase database_{{.target = schema_.target(), .on_server_time = [this](Instant at) {
                                    server_time_ = at;
                                }}};
    std::unique_ptr<Cluster> first_ = database_.cluster();
    std::unique_ptr<Cluster> second_ = database_.cluster();
    PostgresSession session_{schema_.target()};
};

TEST_F(PostgresClusterTest, KnowsWhoHasReportedLately) {
    ASSERT_TRUE(first_->report(replica(2), 10s));
    const auto alive = second_->report(replica(1), 10s);
    ASSERT_TRUE(alive);
    ASSERT_EQ(alive->size(), 2u);
    EXPECT_EQ((*alive)[0].id, replica(1).id) << "sorted by id";
    EXPECT_EQ((*alive)[1].name, "host:2");
    EXPECT_EQ((*alive)[1].version, "1.2");
    EXPECT_GE((*alive)[0].seen_at, (*alive)[1].seen_at);

    const auto just_now = second_->report(replica(1), 0s);
    ASSERT_TRUE(just_now);
    ASSERT_EQ(just_now->size(), 1u) << "itself, always";
    EXPECT_EQ(just_now->at(0).id, replica(1).id);
}

TEST_F(PostgresClusterTest, KeepsWhenAReplicaBegan) {
    const auto began = first_->report(replica(1), 10s);
    const auto later = first_->report(replica(1), 10s);
    ASSERT_TRUE(began && later);
    EXPECT_EQ(began->at(0).started_at, later->at(0).started_at);
    EXPECT_GT(later->at(0).seen_at, began->at(0).seen_at);
}

TEST_F(PostgresClusterTest, ForgetsWhoWasSilentForADay) {
    ASSERT_TRUE(first_->report(replica(1), 10s));
    make_silent_for("25 hours");
    ASSERT_TRUE(first_->report(replica(2), 10s));
    EXPECT_EQ(first_->report(replica(2), 48h)->size(), 1u);
}

TEST_F(PostgresClusterTest, TellsTheServersTimeWithEveryReport) {
    const Instant at_migration = server_time_;
    EXPECT_GT(at_migration, Instant{});
    ASSERT_TRUE(first_->report(replica(1), 10s));
    EXPECT_GT(server_time_, at_migration);
}

TEST_F(PostgresClusterTest, OneReplicaHoldsALeaseAndRenewsIt) {
    const auto taken = first_->hold("d", replica(1).id, 10s);
    ASSERT_TRUE(taken && *taken);
    EXPECT_EQ(**taken, (DutyLease{"d", replica(1).id, 1}));
    EXPECT_EQ(*second_->hold("d", replica(2).id, 10s), std::nullopt);
    EXPECT_EQ(*first_->hold("d", replica(1).id, 10s), *taken) << "the same fence";
    EXPECT_TRUE(*second_->hold("another", replica(2).id, 10s)) << "each duty has its own";
}

TEST_F(PostgresClusterTest, AnotherTakesALeaseThatRanOutWithAHigherFence) {
    const auto old = first_->hold("d", replica(1).id, 0s);
    const auto taken = second_->hold("d", replica(2).id, 10s);
    ASSERT_TRUE(old && *old && taken && *taken);
    EXPECT_GT((*taken)->fence, (*old)->fence);
    EXPECT_EQ(*first_->hold("d", replica(1).id, 10s), std::nullopt);

    EXPECT_TRUE(act_under(**taken));
    const Status refused = act_under(**old);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, ErrorCode::data_refused);
    EXPECT_FALSE(act_under({"no such duty", replica(1).id, 1}));
}

TEST_F(PostgresClusterTest, LeavingHandsTheLeaseOverAtOnce) {
    ASSERT_TRUE(first_->report(replica(1), 10s));
    ASSERT_TRUE(*first_->hold("d", replica(1).id, 1h));
    ASSERT_TRUE(first_->leave(replica(1).id));
    EXPECT_EQ(session_.run("TABLE replica"), "");
    const auto taken = second_->hold("d", replica(2).id, 10s);
    ASSERT_TRUE(taken && *taken);
    EXPECT_EQ((*taken)->fence, 2);
}

// Goal: nobody gets a lease while work under the former one may still commit, and its holder can
// renew it meanwhile. Method: a session that has passed the check stays in its transaction.
TEST_F(PostgresClusterTest, ALeaseStaysWhileATransactionUnderItIsOpen) {
    ASSERT_TRUE(*first_->hold("d", replica(1).id, 0s));
    session_.run("PREPARE checked AS " + std::string(sql::check_duty_lease.text));
    session_.run("BEGIN; EXECUTE checked('d', 1)");
    EXPECT_EQ(*second_->hold("d", replica(2).id, 10s), std::nullopt);
    EXPECT_TRUE(*first_->hold("d", replica(1).id, 0s));
    session_.run("COMMIT");
    EXPECT_TRUE(*second_->hold("d", replica(2).id, 10s));
}

}  // namespace
}  // namespace millrace::postgres
