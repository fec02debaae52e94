#include <gtest/gtest.h>

#include "queue/recover_execution.hpp"
#include "support/remote_world.hpp"

namespace millrace {
namespace {

using Words = std::vector<std::string>;

const StartAnswer kUnknown{
    .outcome = StartOutcome::unknown, .code = "DEADLINE_EXCEEDED", .message = "no answer in time"};

class RecoverStartsTest : public RemoteWorld {};

TEST_F(RecoverStartsTest, AStartThatTimedOutButHappenedIsOneRun) {
    cluster_.next_starts = {{.answer = kUnknown, .happens = true}};
    const ExecutionKey key = node_.enqueue(1);
    settle();
    EXPECT_EQ(node_.status(key), "CLAIMED");
    EXPECT_EQ(active(), 1) << "it keeps its slot";
    advance(2s);
    const Execution execution = node_.execution(key);
    EXPECT_EQ(execution.queue_status, QueueStatus::dispatched);
    EXPECT_EQ(execution.run_id, "run-1");
    EXPECT_EQ(execution.attempt_count, 0);
    EXPECT_EQ(cluster_.starts, 1) << "asked about, not started again";
    EXPECT_EQ(cluster_.runs_begun, 1);
    EXPECT_EQ(node_.told().told,
              (Words{"start failed DEADLINE_EXCEEDED", "in doubt", "dispatched"}));
    EXPECT_EQ(node_.told().recovered, 1u);
}

TEST_F(RecoverStartsTest, AStartThatTimedOutAndDidNotHappenIsSentAgainWithTheSameId) {
    cluster_.next_starts = {{.answer = kUnknown}};
    const ExecutionKey key = node_.enqueue(1, R"({"big":12345678901234567890})");
    settle();
    advance(2s);
    EXPECT_EQ(node_.status(key), "DISPATCHED");
    EXPECT_EQ(cluster_.starts, 2);
    EXPECT_EQ(cluster_.runs_begun, 1);
    EXPECT_TRUE(
        cluster_.run_of(key).request.payload.ends_with(R"("input":{"big":12345678901234567890}})"))
        << "the input as it was enqueued";
}

TEST_F(RecoverStartsTest, ARunOfSomebodyElseIsAConflict) {
    cluster_.next_starts = {{.answer = kUnknown}};
    const ExecutionKey key = node_.enqueue(1);
    settle();
    cluster_.runs[workflow_id(key)] = {.run_id = "theirs"};
    advance(2s);
    EXPECT_EQ(node_.status(key), "FAILED");
    EXPECT_EQ(node_.execution(key).error_reason, "WORKFLOW_ID_CONFLICT");
    EXPECT_EQ(cluster_.starts, 1);
}

TEST_F(RecoverStartsTest, ARunThatIsOverByThenEndsItsExecution) {
    cluster_.next_starts = {{.answer = kUnknown, .happens = true}};
    const ExecutionKey key = node_.enqueue(1);
    settle();
    cluster_.end_run(key, RunState::completed, R"({"ok":true})");
    advance(2s);
    EXPECT_EQ(node_.status(key), "COMPLETED");
    EXPECT_EQ(node_.stored(key).result, R"({"ok":true})");
    EXPECT_EQ(active(), 0);
}

TEST_F(RecoverStartsTest, ClaimsOfADeadOwnerAreTakenOver) {
    node_.starts = false;
    for (std::uint64_t n = 1; n <= 5; ++n) node_.enqueue(n);
    node_.settle();
    ASSERT_EQ(active(), 5) << "it dies when its claims are committed";
    node_.dispatches = node_.attends = false;
    RemoteNode& other = add_node("replica-2");
    advance(29s);
    EXPECT_EQ(cluster_.starts, 0) << "the lease is not over";
    advance(2s);
    EXPECT_EQ(cluster_.runs_begun, 5);
    EXPECT_EQ(other.told().recovered, 5u);
    const Execution execution = other.execution(execution_key(5));
    EXPECT_EQ(execution.queue_status, QueueStatus::dispatched);
    EXPECT_EQ(execution.recoveries, 1);
    EXPECT_EQ(execution.attempt_count, 0);
}

TEST_F(RecoverStartsTest, AnOwnerThatWasPausedBeyondItsLeaseChangesNothing) {
    cluster_.is_holding = true;
    const ExecutionKey key = node_.enqueue(1);
    node_.settle();
    ASSERT_EQ(cluster_.starts_under_way, 1u);
    RemoteNode& other = add_node("replica-2");
    clock_.advance(31s);
    cluster_.is_holding = false;
    other.settle();
    EXPECT_EQ(other.status(key), "DISPATCHED");
    const Execution before = other.execution(key);
    // The paused one wakes up, and so does its call.
    cluster_.release();
    node_.settle();
    EXPECT_EQ(node_.execution(key), before);
    EXPECT_EQ(cluster_.runs_begun, 1);
    EXPECT_EQ(node_.told().told, Words{});
}

TEST_F(RecoverStartsTest, ItsOwnClaimsAreNotTakenOver) {
    cluster_.is_holding = true;
    const ExecutionKey key = node_.enqueue(1);
    settle();
    // Nothing could be renewed in time.
    clock_.advance(40s);
    settle();
    EXPECT_EQ(node_.execution(key).claim.token, 1);
    cluster_.release();
    settle();
    EXPECT_EQ(node_.status(key), "DISPATCHED");
    EXPECT_EQ(node_.told().recovered, 0u);
}

TEST_F(RecoverStartsTest, EachUnknownOutcomeCountsUntilThereWereTooMany) {
    const ExecutionKey key = execution_key(1);
    cluster_.starts_of[key.id] = kUnknown;
    node_.enqueue(1);
    advance(20min);
    const Execution execution = node_.execution(key);
    EXPECT_EQ(execution.queue_status, QueueStatus::failed);
    EXPECT_EQ(execution.error_reason, "RECOVERIES_EXHAUSTED");
    EXPECT_EQ(execution.recoveries, 10);
    EXPECT_EQ(execution.attempt_count, 0);
    EXPECT_EQ(cluster_.starts, 10);
    EXPECT_EQ(active(), 0);
}

TEST_F(RecoverStartsTest, QuestionsThatAreRefusedLeaveItInDoubtAndCount) {
    cluster_.next_starts = {{.answer = kUnknown, .happens = true}};
    cluster_.may_describe = false;
    const ExecutionKey key = node_.enqueue(1);
    advance(3s);
    EXPECT_EQ(node_.status(key), "CLAIMED");
    EXPECT_GE(node_.execution(key).recoveries, 2);
    cluster_.may_describe = true;
    advance(1min);
    EXPECT_EQ(node_.status(key), "DISPATCHED");
    EXPECT_EQ(cluster_.starts, 1);
}

TEST_F(RecoverStartsTest, QuestionsThatReachNobodyLeaveItInDoubtAndDoNotCount) {
    cluster_.next_starts = {{.answer = kUnknown, .happens = true}};
    const ExecutionKey key = node_.enqueue(1);
    settle();
    cluster_.weather = Weather::refusing;
    advance(10min);
    EXPECT_EQ(node_.status(key), "CLAIMED");
    EXPECT_EQ(node_.execution(key).recoveries, 1);
    EXPECT_EQ(active(), 1) << "it may be running: its slot stays taken";
    cluster_.weather = Weather::fine;
    advance(1min);
    EXPECT_EQ(node_.status(key), "DISPATCHED");
    EXPECT_EQ(cluster_.runs_begun, 1);
}

TEST_F(RecoverStartsTest, IsNotStartedAgainOnceTheExecutorMayHaveForgottenIt) {
    cluster_.next_starts = {{.answer = kUnknown}};
    cluster_.retention = 1h;
    const ExecutionKey key = node_.enqueue(1);
    settle();
    cluster_.weather = Weather::refusing;
    advance(61min, 10s);
    cluster_.weather = Weather::fine;
    advance(1min);
    EXPECT_EQ(node_.status(key), "FAILED");
    EXPECT_EQ(node_.execution(key).error_reason, "START_UNKNOWN");
    EXPECT_EQ(cluster_.starts, 1);
    EXPECT_EQ(active(), 0);
}

TEST_F(RecoverStartsTest, RetentionIsAskedOnceInAWhile) {
    for (std::uint64_t n = 1; n <= 3; ++n) {
        cluster_.next_starts = {{.answer = kUnknown}};
        const ExecutionKey key = node_.enqueue(n);
        settle();
        advance(5s);
        EXPECT_EQ(node_.status(key), "DISPATCHED");
    }
    EXPECT_EQ(cluster_.namespace_questions, 1);
    advance(1h, 10s);
    cluster_.next_starts = {{.answer = kUnknown}};
    node_.enqueue(4);
    settle();
    advance(5s);
    EXPECT_EQ(cluster_.namespace_questions, 2);
}

TEST_F(RecoverStartsTest, WithoutANamespaceTheStartIsSentAgainToBeRefused) {
    cluster_.next_starts = {{.answer = kUnknown},
                            {.answer = {.outcome = StartOutcome::refused,
                                        .code = "NOT_FOUND",
                                        .reason = "NAMESPACE_NOT_FOUND",
                                        .message = "no such namespace"}}};
    cluster_.has_namespace = false;
    const ExecutionKey key = node_.enqueue(1);
    settle();
    advance(1s);
    EXPECT_EQ(node_.status(key), "PENDING");
    EXPECT_EQ(node_.execution(key).error_reason, "NAMESPACE_NOT_FOUND");
    EXPECT_EQ(node_.execution(key).attempt_count, 1);
}

TEST_F(RecoverStartsTest, ACancelledOneThatDidNotStartIsNotStartedAgain) {
    cluster_.next_starts = {{.answer = kUnknown}};
    const ExecutionKey key = node_.enqueue(1);
    settle();
    ASSERT_TRUE(node_.cancel(key));
    advance(5s);
    EXPECT_EQ(node_.status(key), "CLAIMED") << "the start may still be on its way";
    advance(10s);
    EXPECT_EQ(node_.status(key), "CANCELLED");
    EXPECT_EQ(cluster_.starts, 1);
    EXPECT_EQ(active(), 0);
}

TEST_F(RecoverStartsTest, ACancelledOneWhoseStartWasOnItsWayIsCancelledThere) {
    cluster_.next_starts = {{.answer = kUnknown}};
    const ExecutionKey key = node_.enqueue(1);
    settle();
    ASSERT_TRUE(node_.cancel(key));
    advance(2s);
    cluster_.runs[workflow_id(key)] = {.execution = key, .run_id = "late"};
    advance(15s);
    EXPECT_EQ(node_.status(key), "CANCELLED");
    EXPECT_EQ(cluster_.run_of(key).state, RunState::cancelled);
}

TEST_F(RecoverStartsTest, RecoveryByHandIsTakenUp) {
    const ExecutionKey key = node_.enqueue(1);
    {
        RemoteNode crashed(database_, clock_, executors(), settings_);
        crashed.starts = false;
        crashed.settle();
    }
    ASSERT_EQ(node_.status(key), "CLAIMED");
    clock_.advance(10s);
    ASSERT_TRUE(node_.run(RecoverExecution{.key = key, .claimed_before = clock_.now()}));
    advance(2s);
    EXPECT_EQ(node_.status(key), "DISPATCHED");
    EXPECT_EQ(cluster_.runs_begun, 1);
}

TEST_F(RecoverStartsTest, WaitsForItsInputWhileTheStoreCannotBeRead) {
    cluster_.next_starts = {{.answer = kUnknown}};
    const ExecutionKey key = node_.enqueue(1);
    settle();
    node_.fails_to_read = [] {
        return true;
    };
    advance(1min);
    EXPECT_EQ(node_.status(key), "CLAIMED");
    EXPECT_EQ(node_.execution(key).recoveries, 1) << "the claim is renewed meanwhile";
    EXPECT_EQ(cluster_.starts, 1);
    node_.fails_to_read = nullptr;
    advance(2s);
    EXPECT_EQ(node_.status(key), "DISPATCHED");
}

TEST_F(RecoverStartsTest, ATargetThatIsGoneMeanwhileIsNoReasonToBelieveThatNothingRuns) {
    cluster_.next_starts = {{.answer = kUnknown, .happens = true}};
    const ExecutionKey key = node_.enqueue(1);
    settle();
    node_.dispatches = node_.attends = false;
    RemoteNode other(database_, clock_, {}, settings_);
    for (int second = 0; second < 5; ++second) {
        clock_.advance(1s);
        other.settle();
    }
    EXPECT_EQ(other.status(key), "CLAIMED");
    node_.attends = true;
    advance(1min);
    EXPECT_EQ(node_.status(key), "DISPATCHED");
    EXPECT_EQ(cluster_.runs_begun, 1);
}

}  // namespace
}  // namespace millrace
