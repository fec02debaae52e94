// What becomes of the others when one row of a batch is locked by somebody else, one statement is
// too much for its timeout, or one decision takes longer than the database waits.

#include <gtest/gtest.h>

#include <chrono>
#include <functional>

#include "engine/cancel_instance.hpp"
#include "scheduler/instance_sweep.hpp"
#include "store/postgres/postgres_database.hpp"
#include "support/postgres_server.hpp"
#include "support/test_node.hpp"

namespace millrace {

// Takes its time by the wall clock.
struct LongDecision {
    static constexpr std::string_view kName = "test.long";

    InstanceKey instance{};
    std::function<void()> wait{};
};

Footprint footprint(const LongDecision& command) {
    return {.instances = {command.instance}};
}

Result<Decision<int>> decide(const LongDecision& command, const WorkingSet&, Instant) {
    command.wait();
    Decision<int> decision;
    decision.effects.timers_removed = {
        {{command.instance.id.value.with_sequence(9)}, command.instance.workspace_id}};
    return decision;
}

namespace {

constexpr std::string_view kWaiting = R"({"id": "waiting", "name": "W", "steps": [
    {"id": "wait", "name": "W", "type": "WAIT", "nextStep": "end"},
    {"id": "end", "name": "E", "type": "END"}]})";

class PostgresSplittingTest : public testing::Test {
protected:
    explicit PostgresSplittingTest(PostgresOptions options = {})
        : session_(schema_.target()), database_(with_target(std::move(options))) {
        EXPECT_TRUE(database_.migrate());
        node_.emplace(database_, clock_);
        node_->upload(kWaiting);
    }

    PostgresOptions with_target(PostgresOptions options) const {
        options.target = schema_.target();
        options.lock_timeout = 200ms;
        return options;
    }

    std::vector<InstanceKey> start(int count) {
        std::vector<InstanceKey> keys;
        for (int n = 0; n < count; ++n) keys.push_back(node_->start("waiting")->key);
        return keys;
    }

    // The text of an id as PostgreSQL writes it.
    std::string nth_instance(int n) {
        return session_.run(
            "SELECT id "
            "FROM instance ORDER BY id OFFSET " +
            std::to_string(n) + " LIMIT 1");
    }

    void lock(const std::string& instance) {
        session_.run("BEGIN");
        session_.run(
            "SELECT 1 "
            "FROM instance WHERE id = '" +
            instance + "' FOR NO KEY UPDATE");
    }

    template <class Request>
    void submit(Request request) {
        using Answer = typename PendingCommand<Request>::Answer;
        node_->queue().submit(std::move(request), [this](const Result<Answer>& answer) {
            (answer ? done_ : failed_) += 1;
        });
    }

    PostgresSchema schema_;
    PostgresSession session_;
    PostgresDatabase database_;
    FakeClock clock_{kNoon};
    std::optional<TestNode> node_;
    int done_ = 0;
    int failed_ = 0;
};

TEST_F(PostgresSplittingTest, ARowLockedBySomebodyElseCostsTheOthersOneWait) {
    const std::vector<InstanceKey> keys = start(20);
    lock(nth_instance(7));
    for (const InstanceKey& key : keys) submit(CancelInstance{key, "enough"});
    for (int round = 0; round < 5; ++round) {
        EXPECT_FALSE(node_->commit_once().unhealthy) << "the store is not away";
    }
    EXPECT_EQ(done_, 19);
    EXPECT_EQ(failed_, 0);

    const auto began_at = std::chrono::steady_clock::now();
    clock_.advance(limits::kLockedPause);
    node_->commit();
    EXPECT_EQ(done_, 19) << "it is still locked";
    EXPECT_LT(std::chrono::steady_clock::now() - began_at, 150ms) << "and nobody waits for it";

    session_.run("COMMIT");
    clock_.advance(limits::kLockedPause);
    node_->commit();
    EXPECT_EQ(done_, 20);
}

// So that a batch can fail twice and be split while its callers wait, whatever the setting says.
TEST_F(PostgresSplittingTest, AStatementOfABatchHasTenSecondsAtMost) {
    session_.run(
        "CREATE "
        "TABLE seen (value text)");
    session_.run(
        "CREATE FUNCTION note() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN "
        "INSERT "
        "INTO seen VALUES (current_setting('statement_timeout')); RETURN NULL; END $$");
    session_.run("CREATE TRIGGER note AFTER INSERT ON instance EXECUTE FUNCTION note()");
    struct Row {
        Duration timeout;
        const char* seen;
    };
    for (const Row& row : {Row{60s, "10s"}, Row{0s, "10s"}, Row{3s, "3s"}}) {
        session_.run("TRUNCATE seen");
        clock_.advance(1s);  // For an id of its own.
        PostgresDatabase database(with_target({.statement_timeout = row.timeout}));
        TestNode node(database, clock_);
        ASSERT_TRUE(node.start("waiting"));
        EXPECT_EQ(session_.run("TABLE seen"), row.seen);
    }
}

TEST_F(PostgresSplittingTest, LooksAtLockedRowsOfEachKind) {
    const std::vector<InstanceKey> keys = start(3);
    const auto store = database_.batch_store();
    const Footprint asked{.instances = keys};
    EXPECT_EQ(store->locked_elsewhere(asked)->size(), 0u);
    lock(nth_instance(1));
    EXPECT_EQ(*store->locked_elsewhere(asked), std::vector<Id128>{keys[1].id.value});
    session_.run("ROLLBACK");
    EXPECT_EQ(store->locked_elsewhere(asked)->size(), 0u) << "and it holds nothing itself";
    EXPECT_TRUE(store->load(asked));
    store->abandon();
}

TEST_F(PostgresSplittingTest, LooksAtIdempotencyKeysThatSomebodyElseHolds) {
    const Footprint asked{
        .idempotency_keys = {{kWorkspace, "start", "a"}, {kWorkspace, "start", "b"}}};
    const Footprint held{.idempotency_keys = {{kWorkspace, "start", "b"}}};
    const auto holder = database_.batch_store();
    const auto store = database_.batch_store();
    ASSERT_TRUE(holder->load(held));
    EXPECT_EQ(*store->locked_elsewhere(asked), held.holds());
    holder->abandon();
    EXPECT_EQ(store->locked_elsewhere(asked)->size(), 0u);
}

class PostgresSlowRowsTest : public PostgresSplittingTest {
protected:
    PostgresSlowRowsTest() : PostgresSplittingTest({.statement_timeout = 400ms}) {}
};

// Each row takes 100 ms to delete: eight at once can never pass.
TEST_F(PostgresSlowRowsTest, RetentionShrinksUntilItPasses) {
    for (const InstanceKey& key : start(12)) submit(CancelInstance{key, "enough"});
    node_->commit();
    ASSERT_EQ(done_, 12);
    session_.run(
        "CREATE FUNCTION take_long() RETURNS trigger LANGUAGE plpgsql AS "
        "$$ BEGIN PERFORM pg_sleep(0.1); RETURN OLD; END $$; "
        "CREATE TRIGGER slow BEFORE DELETE ON instance FOR EACH ROW EXECUTE FUNCTION take_long()");
    clock_.advance(48h);
    const RetentionRules rules = *RetentionRules::parse("P1D", RetentionRules::Subject::instances);
    InstanceSweep sweep(rules, node_->reader(), node_->queue());
    SweepLoop loop(sweep, 24h, clock_, [] {});
    for (int round = 0; round < 60; ++round) {
        const Round done = loop.run_once();
        EXPECT_FALSE(done.unhealthy);
        node_->commit();
    }
    EXPECT_EQ(session_.run("SELECT count(*) "
                           "FROM instance"),
              "0");
}

class PostgresLongDecisionTest : public PostgresSplittingTest {
protected:
    PostgresLongDecisionTest() : PostgresSplittingTest({.idle_timeout = 300ms}) {}
};

// The database ends the transaction with 25P03: that is no store that is away.
TEST_F(PostgresLongDecisionTest, ADecisionLongerThanTheDatabaseWaitsHarmsNobodyElse) {
    const std::vector<InstanceKey> keys = start(4);
    for (int n = 0; n < 3; ++n) submit(CancelInstance{keys[static_cast<std::size_t>(n)], "enough"});
    submit(LongDecision{keys[3], [this] {
                            session_.run("SELECT pg_sleep(0.7)");
                            clock_.advance(700ms);
                        }});
    for (int round = 0; round < 10; ++round) {
        EXPECT_FALSE(node_->commit_once().unhealthy);
    }
    EXPECT_EQ(done_, 3);
    EXPECT_EQ(failed_, 1) << "alone, and only after its second try there";
}

}  // namespace
}  // namespace millrace
