#include "queue/run_watcher.hpp"

#include <gtest/gtest.h>

#include "core/limits.hpp"
#include "support/remote_world.hpp"

namespace millrace {
namespace {

using Words = std::vector<std::string>;

RemoteSettings few_places(std::size_t tracked_max) {
    return {.owner = kOwner, .tracked_max = tracked_max};
}

class RunWatcherTest : public RemoteWorld {};

struct EndRow {
    const char* name;
    RunState state;
    const char* text;
    QueueStatus status;
    const char* reason;
};

class RunEndTest : public RemoteWorld, public testing::WithParamInterface<EndRow> {};

const EndRow kEnds[] = {
    {"Completed", RunState::completed, R"({"ok":1})", QueueStatus::completed, ""},
    {"Failed", RunState::failed, "it broke", QueueStatus::failed, "WORKFLOW_FAILED"},
    {"TimedOut", RunState::timed_out, "", QueueStatus::failed, "TIMED_OUT"},
    {"Cancelled", RunState::cancelled, "", QueueStatus::cancelled, ""},
    {"Terminated", RunState::terminated, "by hand", QueueStatus::failed, "TERMINATED"},
};

TEST_P(RunEndTest, IsTheEndOfTheExecution) {
    const EndRow& row = GetParam();
    const ExecutionKey key = running(1);
    cluster_.end_run(key, row.state, row.text);
    settle();
    const StoredExecution stored = node_.stored(key);
    EXPECT_EQ(stored.execution.queue_status, row.status);
    EXPECT_EQ(stored.execution.error_reason, row.reason);
    const bool is_completed = row.state == RunState::completed;
    EXPECT_EQ(stored.result, is_completed ? row.text : "");
    EXPECT_EQ(stored.execution.error_message, is_completed ? "" : row.text);
    EXPECT_EQ(stored.execution.completed_at, clock_.now()) << "noticed at once";
    EXPECT_EQ(active(), 0);
}

INSTANTIATE_TEST_SUITE_P(Ends, RunEndTest, testing::ValuesIn(kEnds),
                         [](const auto& row) { return std::string(row.param.name); });

TEST_F(RunWatcherTest, WaitsForTheEndOfARunAgainAndAgain) {
    const ExecutionKey key = running(1);
    EXPECT_EQ(cluster_.polls_under_way(), 1u);
    EXPECT_EQ(node_.execution(key).due_at, kNoon + 60s);
    advance(10min);
    EXPECT_EQ(cluster_.polls_under_way(), 1u);
    EXPECT_EQ(cluster_.polls, 21);
    EXPECT_EQ(cluster_.describes, 0) << "nobody else had to look";
    EXPECT_EQ(node_.execution(key).due_at, clock_.now() + 60s);
    cluster_.end_run(key, RunState::completed);
    settle();
    EXPECT_EQ(node_.status(key), "COMPLETED");
}

TEST_F(RunWatcherTest, ARunOfADeadProcessIsWatchedByAnother) {
    const ExecutionKey key = running(1);
    RemoteNode& other = add_node("replica-2");
    node_.stop();
    advance(61s);
    EXPECT_EQ(cluster_.polls_under_way(), 1u);
    cluster_.end_run(key, RunState::completed);
    settle();
    EXPECT_EQ(other.status(key), "COMPLETED");
    EXPECT_EQ(other.told().told, Words{"ended COMPLETED"});
}

TEST_F(RunWatcherTest, AWorkersOwnReportEndsTheWait) {
    const ExecutionKey key = running(1);
    ASSERT_TRUE(node_.run(CompleteExecution{.key = key, .result = "1"}));
    advance(31s);
    EXPECT_EQ(cluster_.polls_under_way(), 0u);
    EXPECT_EQ(cluster_.polls, 1);
    EXPECT_EQ(node_.stored(key).result, "1");
}

TEST_F(RunWatcherTest, AReportThatComesSecondChangesNothing) {
    const ExecutionKey key = running(1);
    ASSERT_TRUE(node_.run(CompleteExecution{.key = key, .end = QueueStatus::failed}));
    cluster_.end_run(key, RunState::completed, "1");
    settle();
    EXPECT_EQ(node_.status(key), "FAILED");
    EXPECT_EQ(node_.told().told, Words{"dispatched"});
}

TEST_F(RunWatcherTest, AWaitThatFailsIsFollowedByALook) {
    const ExecutionKey key = running(1);
    cluster_.weather = Weather::refusing;
    advance(30s);
    cluster_.weather = Weather::fine;
    EXPECT_EQ(cluster_.polls_under_way(), 0u);
    EXPECT_EQ(node_.told().told.back(), "look failed UNAVAILABLE");
    cluster_.runs.at(workflow_id(key)).state = RunState::completed;
    advance(6s);
    EXPECT_EQ(node_.status(key), "COMPLETED");
}

TEST_F(RunWatcherTest, AResultThatCannotBeKeptDoesNotKeepTheRunOpen) {
    const ExecutionKey key = running(1);
    cluster_.end_run(key, RunState::completed,
                     '"' + std::string(limits::kVariablesBytesMax, 'x') + '"');
    settle();
    const StoredExecution stored = node_.stored(key);
    EXPECT_EQ(stored.execution.queue_status, QueueStatus::completed);
    EXPECT_EQ(stored.result, "");
    EXPECT_TRUE(stored.execution.error_message.starts_with("Its result could not be kept"));
}

class SweepTest : public RemoteWorld {
protected:
    explicit SweepTest(std::size_t tracked_max = 2) : RemoteWorld(few_places(tracked_max)) {}
};

TEST_F(SweepTest, NeverWaitsForMoreRunsThanItHasPlaces) {
    for (std::uint64_t n = 1; n <= 10; ++n) running(n);
    EXPECT_EQ(cluster_.polls_under_way(), 2u);
    for (int i = 0; i < 10; ++i) {
        advance(30s);
        EXPECT_LE(cluster_.polls_under_way(), 2u);
    }
}

TEST_F(SweepTest, TheOthersAreLookedAtLessOftenAsTheyGrowOlder) {
    cluster_.may_list = false;
    for (std::uint64_t n = 1; n <= 3; ++n) running(n);
    advance(20s);
    const int young = cluster_.describes;
    EXPECT_GE(young, 3);
    EXPECT_LE(young, 4);
    advance(1h);
    const int before = cluster_.describes;
    advance(10min);
    EXPECT_GE(cluster_.describes - before, 8);
    EXPECT_LE(cluster_.describes - before, 40) << "the three of them take turns";
}

TEST_F(SweepTest, WhereEndsAreListedTheOthersAreLeftAloneForLonger) {
    for (std::uint64_t n = 1; n <= 2; ++n) running(n);
    const ExecutionKey first = running(3);
    EXPECT_LE(node_.execution(first).due_at, kNoon + 6s) << "no list has come yet";
    advance(20s);
    const int looks = cluster_.describes;
    const ExecutionKey later = running(4);
    EXPECT_GE(node_.execution(later).due_at, clock_.now() + 30s);
    advance(25s);
    EXPECT_LE(cluster_.describes, looks + 1) << "of the first one at most";
    cluster_.runs.at(workflow_id(later)).state = RunState::completed;
    advance(6s);
    EXPECT_EQ(node_.status(later), "COMPLETED");
}

TEST_F(SweepTest, WhereListsDoNotComeAnyMoreEachIsLookedAtAgain) {
    for (std::uint64_t n = 1; n <= 3; ++n) running(n);
    advance(20s);
    cluster_.may_list = false;
    advance(20s);
    const ExecutionKey later = running(4);
    EXPECT_LE(node_.execution(later).due_at, clock_.now() + 6s);
}

TEST_F(SweepTest, TheEndOfAnyOfThemIsNoticed) {
    cluster_.may_list = false;
    for (std::uint64_t n = 1; n <= 10; ++n) running(n);
    advance(5min);
    for (std::uint64_t n = 1; n <= 10; ++n) {
        cluster_.end_run(execution_key(n), RunState::completed);
    }
    advance(70s);
    EXPECT_EQ(active(), 0);
}

TEST_F(SweepTest, ThoseThatAreOverByTheirTargetsWordAreLookedAtAtOnce) {
    for (std::uint64_t n = 1; n <= 10; ++n) running(n);
    advance(10min);
    cluster_.obeys_cancel = false;
    for (std::uint64_t n = 1; n <= 10; ++n) {
        cluster_.end_run(execution_key(n), RunState::completed);
    }
    advance(11s);
    EXPECT_EQ(active(), 0);
    EXPECT_GE(cluster_.lists, 5) << "page after page";
}

TEST_F(SweepTest, NothingIsListedWhereNothingIsLeft) {
    running(1);
    running(2);
    advance(10min);
    EXPECT_EQ(cluster_.lists, 0);
}

TEST_F(SweepTest, AListThatNamesARunningOneProvesNothing) {
    for (std::uint64_t n = 1; n <= 3; ++n) running(n);
    // A stranger's, one that nobody knows, and no id at all.
    cluster_.runs["execution-x"] = {.state = RunState::completed, .closed_at = clock_.now() + 1h};
    cluster_.runs[workflow_id(execution_key(99))] = {.state = RunState::completed,
                                                     .closed_at = clock_.now() + 1h};
    advance(1min);
    EXPECT_EQ(active(), 3);
}

TEST_F(SweepTest, ARefusedListIsToldAndDoesNoHarm) {
    cluster_.may_list = false;
    for (std::uint64_t n = 1; n <= 3; ++n) running(n);
    advance(11s);
    EXPECT_EQ(node_.told().told.back(), "listing failed PERMISSION_DENIED");
    EXPECT_EQ(node_.told().breaker, Words{});
}

TEST_F(SweepTest, PlacesGoToThoseThatBeganLater) {
    cluster_.may_list = false;
    running(1);
    running(2);
    const ExecutionKey third = running(3);
    EXPECT_EQ(node_.execution(third).due_at, kNoon + look_after({}, 0s, third.id));
    advance(2min);
    // By now each had its turn; the end of one that is waited for is noticed at once.
    EXPECT_EQ(cluster_.polls_under_way(), 2u);
    EXPECT_GT(cluster_.polls, 4);
}

TEST_F(RunWatcherTest, ARunThatIsNotFoundIsGivenUpAfterAWhile) {
    const ExecutionKey key = running(1);
    cluster_.runs.clear();
    advance(5min);
    EXPECT_EQ(node_.status(key), "DISPATCHED") << "the wrong cluster may have been asked";
    advance(7min);
    const Execution execution = node_.execution(key);
    EXPECT_EQ(execution.queue_status, QueueStatus::failed);
    EXPECT_EQ(execution.error_reason, "RUN_NOT_FOUND");
    EXPECT_EQ(active(), 0);
}

TEST_F(RunWatcherTest, ARunThatWasNotFoundForAMomentGoesOn) {
    const ExecutionKey key = running(1);
    const auto runs = std::exchange(cluster_.runs, {});
    advance(9min);
    cluster_.runs = runs;
    advance(10min);
    EXPECT_EQ(node_.status(key), "DISPATCHED");
    EXPECT_EQ(cluster_.polls_under_way(), 1u);
}

TEST_F(RunWatcherTest, ARunThatFollowedAForgottenOneIsFound) {
    const ExecutionKey key = running(1);
    cluster_.weather = Weather::refusing;
    advance(30s);
    cluster_.weather = Weather::fine;
    cluster_.run_of(key).run_id = "the-next";
    advance(10s);
    EXPECT_EQ(node_.execution(key).run_id, "the-next");
    EXPECT_EQ(cluster_.polls_under_way(), 1u);
}

TEST_F(RunWatcherTest, ATargetThatNobodyKnowsAnyMoreLeavesTheRunAlone) {
    const ExecutionKey key = running(1);
    node_.stop();
    RemoteNode other(database_, clock_, {}, settings_);
    for (int minute = 0; minute < 30; ++minute) {
        clock_.advance(1min);
        other.settle();
    }
    EXPECT_EQ(other.status(key), "DISPATCHED");
    EXPECT_GE(other.told().told.size(), 20u);
    EXPECT_EQ(other.told().told.front(), "look failed NOT_FOUND");
}

}  // namespace
}  // namespace millrace
