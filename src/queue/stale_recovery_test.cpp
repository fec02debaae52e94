#include "queue/stale_recovery.hpp"

#include <algorithm>

#include "queue/recover_execution.hpp"
#include "store/memory/memory_database.hpp"
#include "support/single_node.hpp"

namespace millrace {
namespace {

// Two processes in dispatcher.mode single on one store, with a cluster for what runs elsewhere.
class SingleModeTest : public testing::Test {
protected:
    SingleModeTest() { a_.node.upload(); }

    RemoteRuns::Executors executors() { return {{"main", &cluster_}, {"other", &other_}}; }

    void settle() {
        if (is_a_awake_) a_.settle();
        if (is_b_awake_) b_.settle();
    }

    // In steps, so that everything happens when it is due.
    void advance(Duration time, Duration step = 1s) {
        for (Duration passed{}; passed < time; passed += step) {
            clock_.advance(step);
            cluster_.pass_time();
            settle();
        }
    }

    // Answers what waits, and lets what comes of it wait again.
    void answer() {
        cluster_.release();
        cluster_.is_holding = true;
        settle();
    }

    std::string status(const ExecutionKey& key) { return a_.node.status(key); }

    FakeClock clock_{kNoon};
    MemoryDatabase database_;
    MemoryLocks locks_;
    ScriptedCluster cluster_{clock_};
    ScriptedCluster other_{clock_};
    SingleNode a_{database_, locks_, clock_, executors(), "a"};
    SingleNode b_{database_, locks_, clock_, executors(), "b"};
    bool is_a_awake_ = true;
    bool is_b_awake_ = true;
};

TEST_F(SingleModeTest, StartsOneAfterTheOtherAndAllOfABatchBeforeTheNext) {
    for (std::uint64_t i = 1; i <= 15; ++i) a_.node.enqueue(i);
    cluster_.is_holding = true;
    settle();
    EXPECT_EQ(cluster_.starts, 1);
    for (int i = 1; i < 10; ++i) answer();
    EXPECT_EQ(cluster_.starts, 10);
    EXPECT_EQ(cluster_.starts_under_way_max, 1U);
    advance(9s);
    EXPECT_EQ(a_.batches, (std::vector<std::int64_t>{10})) << "the last one is under way";
    EXPECT_EQ(a_.batches_over, 0);
    cluster_.release();
    advance(15s);
    EXPECT_EQ(cluster_.runs_begun, 15);
    EXPECT_EQ(a_.batches.size() + b_.batches.size(), 2U);
}

TEST_F(SingleModeTest, StartsAtTwoTargetsAreNotUnderWayAtOnce) {
    a_.node.upload(R"({"id": "elsewhere", "name": "Elsewhere",
        "executor": {"kind": "temporal", "target": "other", "workflowType": "w"}})");
    a_.node.enqueue(1);
    ASSERT_TRUE(
        a_.node.run(EnqueueExecution{.key = execution_key(2), .definition_id = "elsewhere"}));
    cluster_.is_holding = other_.is_holding = true;
    settle();
    EXPECT_EQ(cluster_.starts + other_.starts, 1);
    cluster_.release();
    other_.release();
    settle();
    EXPECT_EQ(cluster_.starts, 1);
    EXPECT_EQ(other_.starts, 1);
}

TEST_F(SingleModeTest, NothingIsLetInBetweenRounds) {
    settle();
    const ExecutionKey key = a_.node.enqueue(1);
    advance(9s);
    EXPECT_EQ(status(key), "PENDING") << "an enqueue does not wake";
    EXPECT_GT(a_.refused + b_.refused, 0);
    advance(6s);
    EXPECT_EQ(status(key), "DISPATCHED");
}

TEST_F(SingleModeTest, ADeadProcessLosesItsClaimsAfterFiveMinutes) {
    const ExecutionKey key = a_.node.enqueue(1);
    cluster_.is_holding = true;
    a_.settle();
    ASSERT_EQ(status(key), "CLAIMED");
    is_a_awake_ = false;
    cluster_.is_holding = false;
    advance(299s);
    EXPECT_EQ(status(key), "CLAIMED") << "its lease is long over, and nobody minds yet";
    EXPECT_EQ(b_.node.told().recovered, 0U);
    advance(100s);
    EXPECT_EQ(status(key), "DISPATCHED");
    EXPECT_EQ(b_.node.told().recovered, 1U);
    EXPECT_EQ(b_.node.execution(key).recoveries, 1);
    EXPECT_EQ(cluster_.runs_begun, 1);
}

TEST_F(SingleModeTest, AHolderPausedBeyondItsLockAndItsLeasesDoesNoHarm) {
    for (std::uint64_t i = 1; i <= 3; ++i) a_.node.enqueue(i);
    cluster_.is_holding = true;
    a_.settle();
    ASSERT_EQ(cluster_.starts, 1);
    is_a_awake_ = false;
    cluster_.is_holding = false;
    advance(10min);
    for (std::uint64_t i = 1; i <= 3; ++i) EXPECT_EQ(status(execution_key(i)), "DISPATCHED");
    is_a_awake_ = true;
    advance(2min);
    EXPECT_EQ(cluster_.runs_begun, 3) << "each ran once";
    for (std::uint64_t i = 1; i <= 3; ++i) EXPECT_EQ(status(execution_key(i)), "DISPATCHED");
    EXPECT_EQ(std::ranges::count(a_.node.told().told, "dispatched"), 0) << "none was its own";
    const ExecutionKey next = a_.node.enqueue(4);
    advance(20s);
    EXPECT_EQ(status(next), "DISPATCHED");
}

TEST_F(SingleModeTest, ALongBatchKeepsItsClaims) {
    for (std::uint64_t i = 1; i <= 10; ++i) a_.node.enqueue(i);
    cluster_.is_holding = true;
    a_.settle();
    for (int i = 0; i < 10; ++i) {
        advance(8s);
        answer();
    }
    EXPECT_EQ(cluster_.starts, 10);
    EXPECT_EQ(a_.node.told().recovered + b_.node.told().recovered, 0U);
    for (std::uint64_t i = 1; i <= 10; ++i) EXPECT_EQ(status(execution_key(i)), "DISPATCHED");
}

TEST_F(SingleModeTest, WhatWasLetGoByHandIsTakenUpByTheNextRecovery) {
    const ExecutionKey key = a_.node.enqueue(1);
    cluster_.is_holding = true;
    a_.settle();
    is_a_awake_ = false;
    cluster_.is_holding = false;
    advance(40s);
    ASSERT_TRUE(b_.node.run(RecoverExecution{.key = key, .claimed_before = clock_.now()}));
    EXPECT_EQ(status(key), "CLAIMED");
    advance(60s);
    EXPECT_EQ(status(key), "DISPATCHED");
}

TEST_F(SingleModeTest, AStartInDoubtIsAskedForByTheNextRecovery) {
    const ExecutionKey key = a_.node.enqueue(1);
    cluster_.weather = ScriptedCluster::Weather::silent;
    cluster_.starts_happen_in_silence = true;
    settle();
    advance(11s);
    EXPECT_EQ(status(key), "CLAIMED");
    cluster_.weather = ScriptedCluster::Weather::fine;
    advance(2min);
    EXPECT_EQ(status(key), "DISPATCHED");
    EXPECT_EQ(cluster_.runs_begun, 1);
}

TEST_F(SingleModeTest, TheEndOfARunIsLearnedByWhoeverLooks) {
    const ExecutionKey key = a_.node.enqueue(1);
    settle();
    ASSERT_EQ(status(key), "DISPATCHED");
    is_a_awake_ = false;
    cluster_.end_run(key, RunState::completed, "{}");
    advance(3min);
    EXPECT_EQ(status(key), "COMPLETED");
}

}  // namespace
}  // namespace millrace
