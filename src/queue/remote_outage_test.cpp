#include <gtest/gtest.h>

#include "support/remote_world.hpp"

namespace millrace {
namespace {

using Words = std::vector<std::string>;

class RemoteOutageTest : public RemoteWorld {
protected:
    void expect_all_dispatched(std::uint64_t count) {
        for (std::uint64_t n = 1; n <= count; ++n) {
            const Execution execution = node_.execution(execution_key(n));
            EXPECT_EQ(execution.queue_status, QueueStatus::dispatched) << n;
            EXPECT_EQ(execution.attempt_count, 0) << n;
        }
        EXPECT_EQ(cluster_.runs_begun, static_cast<int>(count));
    }
};

TEST_F(RemoteOutageTest, TheBreakerOpensAfterFailuresInARowAndNothingIsSent) {
    cluster_.weather = Weather::refusing;
    for (std::uint64_t n = 1; n <= 10; ++n) node_.enqueue(n);
    settle();
    EXPECT_EQ(node_.told().breaker, Words{"main open"});
    const int starts = cluster_.starts;
    for (std::uint64_t n = 11; n <= 20; ++n) node_.enqueue(n);
    settle();
    EXPECT_EQ(cluster_.starts, starts);
    EXPECT_EQ(active(), 0) << "nobody holds a slot for a target that is not there";
    EXPECT_EQ(node_.execution(execution_key(20)).deferrals, 0) << "it was not even claimed";
    const TargetFacts targets = node_.targets();
    ASSERT_TRUE(targets.unreachable.contains("main"));
    const std::optional<Instant> tries_at = targets.unreachable.at("main").tries_at;
    EXPECT_EQ(tries_at, kNoon + 1s);
    // The first two were answered before it was known that nobody is there.
    for (std::uint64_t n = 3; n <= 20; ++n) {
        EXPECT_GE(node_.execution(execution_key(n)).next_attempt_at, tries_at) << n;
    }
}

TEST_F(RemoteOutageTest, OneCallTriesAndOpensTheWayForAll) {
    cluster_.weather = Weather::refusing;
    for (std::uint64_t n = 1; n <= 20; ++n) node_.enqueue(n);
    settle();
    const int before = cluster_.starts;
    cluster_.weather = Weather::fine;
    cluster_.is_holding = true;
    advance(5s);
    EXPECT_EQ(cluster_.starts, before + 1) << "the others wait for how that goes";
    EXPECT_EQ(node_.told().breaker, (Words{"main open", "main trying"}));
    EXPECT_TRUE(node_.targets().unreachable.contains("main"));
    cluster_.release();
    advance(30s);
    EXPECT_EQ(node_.told().breaker.back(), "main closed");
    expect_all_dispatched(20);
}

TEST_F(RemoteOutageTest, ATryThatFailsMakesThePauseLonger) {
    cluster_.weather = Weather::refusing;
    for (std::uint64_t n = 1; n <= 3; ++n) node_.enqueue(n);
    settle();
    cluster_.calls_at.clear();
    const int before = cluster_.starts;
    advance(10min, 500ms);
    // 1, 2, 4, 8, 16 and then 30 seconds: some twenty-four tries in ten minutes.
    EXPECT_LE(cluster_.starts - before, 30);
    EXPECT_GE(cluster_.starts - before, 15);
}

TEST_F(RemoteOutageTest, TenMinutesWithoutATargetBurnNoAttemptsAndLoseNothing) {
    const ExecutionKey tracked = running(1);
    cluster_.weather = Weather::refusing;
    for (std::uint64_t n = 2; n <= 40; ++n) node_.enqueue(n);
    advance(10min);
    for (std::uint64_t n = 2; n <= 40; ++n) {
        const Execution execution = node_.execution(execution_key(n));
        EXPECT_EQ(execution.queue_status, QueueStatus::pending) << n;
        EXPECT_EQ(execution.attempt_count, 0) << n;
    }
    cluster_.weather = Weather::fine;
    advance(2min);
    expect_all_dispatched(40);
    cluster_.end_run(tracked, RunState::completed, "{}");
    advance(2min);
    EXPECT_EQ(node_.status(tracked), "COMPLETED");
}

TEST_F(RemoteOutageTest, TenMinutesOfSilenceBurnNoAttemptsAndLoseNothing) {
    cluster_.weather = Weather::silent;
    for (std::uint64_t n = 1; n <= 40; ++n) node_.enqueue(n);
    advance(10min);
    for (std::uint64_t n = 1; n <= 40; ++n) {
        EXPECT_TRUE(is_open(node_.execution(execution_key(n)).queue_status)) << n;
    }
    cluster_.weather = Weather::fine;
    advance(2min);
    expect_all_dispatched(40);
}

TEST_F(RemoteOutageTest, SilenceInWhichStartsHappenEndsInOneRunEach) {
    cluster_.weather = Weather::silent;
    cluster_.starts_happen_in_silence = true;
    for (std::uint64_t n = 1; n <= 40; ++n) node_.enqueue(n);
    advance(5min);
    cluster_.weather = Weather::fine;
    advance(2min);
    expect_all_dispatched(40);
}

TEST_F(RemoteOutageTest, OneTargetsOutageIsNobodyElses) {
    ScriptedCluster other(clock_);
    RemoteNode node(database_, clock_, {{"main", &cluster_}, {"other", &other}}, settings_);
    node_.dispatches = node_.attends = false;
    cluster_.weather = Weather::refusing;
    for (std::uint64_t n = 1; n <= 10; ++n) node.enqueue(n);
    node.settle();
    node.upload(R"({"id": "order", "name": "Order",
        "executor": {"kind": "temporal", "target": "other", "workflowType": "Order"},
        "steps": []})");
    for (std::uint64_t n = 11; n <= 20; ++n) node.enqueue(n);
    node.settle();
    EXPECT_EQ(other.runs_begun, 10);
    EXPECT_EQ(cluster_.runs_begun, 0);
}

TEST_F(RemoteOutageTest, AnAnswerOfAnyKindIsNoOutage) {
    cluster_.may_describe = false;
    for (std::uint64_t n = 1; n <= 10; ++n) {
        cluster_.starts_of[execution_key(n).id] = {.outcome = StartOutcome::refused,
                                                   .code = "PERMISSION_DENIED",
                                                   .reason = "PERMISSION_DENIED",
                                                   .message = "no"};
        node_.enqueue(n);
    }
    settle();
    EXPECT_EQ(node_.told().breaker, Words{});
    EXPECT_EQ(cluster_.starts, 10);
}

}  // namespace
}  // namespace millrace
