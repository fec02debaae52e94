#include <gtest/gtest.h>

#include "support/remote_world.hpp"

namespace millrace {
namespace {

using Words = std::vector<std::string>;

class RemoteCancelTest : public RemoteWorld {};

TEST_F(RemoteCancelTest, WhatWaitsIsNeverStarted) {
    node_.dispatches = false;
    const ExecutionKey key = node_.enqueue(1);
    ASSERT_TRUE(node_.cancel(key));
    node_.dispatches = true;
    advance(1min);
    EXPECT_EQ(node_.status(key), "CANCELLED");
    EXPECT_EQ(cluster_.starts, 0);
}

TEST_F(RemoteCancelTest, WhatIsBeingStartedIsCancelledThere) {
    cluster_.is_holding = true;
    const ExecutionKey key = node_.enqueue(1);
    settle();
    ASSERT_TRUE(node_.cancel(key));
    settle();
    EXPECT_EQ(node_.status(key), "CLAIMED");
    cluster_.release();
    settle();
    EXPECT_EQ(node_.status(key), "CANCELLED");
    EXPECT_EQ(cluster_.run_of(key).state, RunState::cancelled);
    EXPECT_EQ(active(), 0);
}

TEST_F(RemoteCancelTest, WhatCouldNotBeStartedIsCancelledHere) {
    cluster_.is_holding = true;
    cluster_.next_starts = {{{.outcome = StartOutcome::refused, .code = "INTERNAL"}}};
    const ExecutionKey key = node_.enqueue(1);
    settle();
    ASSERT_TRUE(node_.cancel(key));
    cluster_.release();
    settle();
    EXPECT_EQ(node_.status(key), "CANCELLED");
    EXPECT_EQ(cluster_.runs_begun, 0);
    EXPECT_EQ(node_.told().told, (Words{"start failed INTERNAL", "cancelled"}));
}

TEST_F(RemoteCancelTest, WhatRunsIsAskedToStop) {
    const ExecutionKey key = running(1);
    ASSERT_TRUE(node_.cancel(key));
    settle();
    EXPECT_EQ(node_.status(key), "CANCELLED");
    EXPECT_EQ(cluster_.run_of(key).state, RunState::cancelled);
    EXPECT_EQ(node_.told().told, (Words{"dispatched", "cancel passed on", "ended CANCELLED"}));
}

TEST_F(RemoteCancelTest, WhatTakesItsTimeToStopKeepsItsSlotUntilThen) {
    cluster_.obeys_cancel = false;
    const ExecutionKey key = running(1);
    ASSERT_TRUE(node_.cancel(key));
    advance(10min);
    EXPECT_EQ(node_.status(key), "DISPATCHED");
    EXPECT_EQ(active(), 1);
    EXPECT_EQ(std::ranges::count(node_.told().told, "cancel passed on"), 1);
    cluster_.end_run(key, RunState::cancelled);
    settle();
    EXPECT_EQ(node_.status(key), "CANCELLED");
}

TEST_F(RemoteCancelTest, ARunThatFollowsIsAskedToStopToo) {
    cluster_.obeys_cancel = false;
    const ExecutionKey key = running(1);
    ASSERT_TRUE(node_.cancel(key));
    advance(10min);
    EXPECT_EQ(cluster_.run_of(key).cancels, 1);
    cluster_.run_of(key).run_id = "its successor";
    cluster_.obeys_cancel = true;
    advance(10min);
    EXPECT_EQ(cluster_.run_of(key).cancels, 2);
    EXPECT_EQ(node_.status(key), "CANCELLED");
    EXPECT_EQ(std::ranges::count(node_.told().told, "cancel passed on"), 1);
}

TEST_F(RemoteCancelTest, ACompletionThatWasFasterCounts) {
    cluster_.obeys_cancel = false;
    const ExecutionKey key = running(1);
    ASSERT_TRUE(node_.cancel(key));
    settle();
    cluster_.end_run(key, RunState::completed, "1");
    settle();
    EXPECT_EQ(node_.status(key), "COMPLETED");
    EXPECT_EQ(node_.stored(key).result, "1");
}

TEST_F(RemoteCancelTest, ACompletionThatWasThereBeforeTheCancelIsNoticedWithIt) {
    const ExecutionKey key = running(1);
    cluster_.runs.at(workflow_id(key)).state = RunState::completed;
    ASSERT_TRUE(node_.cancel(key));
    settle();
    EXPECT_EQ(node_.status(key), "COMPLETED");
}

TEST_F(RemoteCancelTest, ForceEndsARunAndCountsAsCancelled) {
    cluster_.obeys_cancel = false;
    const ExecutionKey key = running(1);
    ASSERT_TRUE(node_.cancel(key));
    settle();
    EXPECT_EQ(node_.status(key), "DISPATCHED");
    ASSERT_TRUE(node_.cancel(key, true));
    settle();
    EXPECT_EQ(node_.status(key), "CANCELLED");
    EXPECT_EQ(cluster_.run_of(key).state, RunState::terminated);
}

TEST_F(RemoteCancelTest, ATargetThatIsAwayIsAskedWhenItIsBack) {
    cluster_.weather = Weather::refusing;
    cluster_.weather = Weather::fine;
    const ExecutionKey key = running(1);
    cluster_.weather = Weather::refusing;
    ASSERT_TRUE(node_.cancel(key));
    advance(10min);
    EXPECT_EQ(node_.status(key), "DISPATCHED");
    cluster_.weather = Weather::fine;
    advance(1min);
    EXPECT_EQ(node_.status(key), "CANCELLED");
}

TEST_F(RemoteCancelTest, AnotherProcessMayPassItOn) {
    const ExecutionKey key = running(1);
    node_.attends = false;
    RemoteNode& other = add_node("replica-2");
    ASSERT_TRUE(other.cancel(key));
    settle();
    EXPECT_EQ(other.status(key), "CANCELLED");
    EXPECT_EQ(active(), 0);
}

}  // namespace
}  // namespace millrace
