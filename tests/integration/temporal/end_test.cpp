#include <gtest/gtest.h>

#include <string>

#include "temporal_case.hpp"

namespace millrace {
namespace {

class TemporalEndTest : public TemporalCase {
protected:
    // Both ways to learn of an end tell the same.
    RunReport end_seen_twice(const ExecutionKey& key) {
        const RunReport awaited = end_of(key, run_id_);
        for (const std::string& run_id : {run_id_, std::string{}}) {
            const RunReport described = state_of(key, run_id);
            EXPECT_EQ(described.state, awaited.state);
            EXPECT_EQ(described.run_id, awaited.run_id);
            EXPECT_EQ(described.result, awaited.result);
            EXPECT_EQ(described.message, awaited.message);
        }
        EXPECT_TRUE(awaited.is_found);
        EXPECT_TRUE(awaited.is_ours);
        return awaited;
    }
};

TEST_F(TemporalEndTest, ARunThatGoesOnIsRunning) {
    const ExecutionKey key = started("Wait");
    const RunReport report = state_of(key, run_id_);
    EXPECT_TRUE(report.is_found);
    EXPECT_TRUE(report.is_ours);
    EXPECT_EQ(report.state, RunState::running);
    EXPECT_EQ(report.run_id, run_id_);
}

TEST_F(TemporalEndTest, WaitingEndsWithTheTimeOutAndReportsRunning) {
    const ExecutionKey key = started("Wait");
    const CallResult<RunReport> result = await_end(*executor_, key, run_id_, 300ms);
    ASSERT_TRUE(result.answer) << result.failure.code;
    EXPECT_EQ(result.answer->state, RunState::running);
    EXPECT_EQ(result.answer->run_id, run_id_);
    EXPECT_TRUE(result.answer->is_ours);
}

TEST_F(TemporalEndTest, WaitingEndsWithTheRun) {
    const ExecutionKey key = started("Wait");
    Answer<CallResult<RunReport>> waiting(
        [&](auto done) { executor_->await_end(key, run_of(key, run_id_), kPatience, done); });
    run_temporal("workflow signal --name finish --workflow-id " + workflow_id(key));
    EXPECT_EQ(waiting.get().answer.value_or(RunReport{}).result, R"("finished")");
}

TEST_F(TemporalEndTest, ACompletedRunHasAResult) {
    const RunReport report = end_seen_twice(started("Echo", R"({"n":1})"));
    EXPECT_EQ(report.state, RunState::completed);
    EXPECT_NE(report.result.find(R"("input":{"n":1})"), std::string::npos) << report.result;
}

TEST_F(TemporalEndTest, ARunMayCompleteWithoutAResult) {
    const RunReport report = end_seen_twice(started("Nothing"));
    EXPECT_EQ(report.state, RunState::completed);
    EXPECT_EQ(report.result, "");
}

TEST_F(TemporalEndTest, AFailedRunTellsWhy) {
    const RunReport report = end_seen_twice(started("Fail"));
    EXPECT_EQ(report.state, RunState::failed);
    EXPECT_EQ(report.message, "It failed on purpose.");
}

TEST_F(TemporalEndTest, AFailureOfAnActivityIsToldWithItsCause) {
    const RunReport report = end_seen_twice(started("FailInActivity"));
    EXPECT_EQ(report.state, RunState::failed);
    EXPECT_EQ(report.message, "activity error: no such account");
}

TEST_F(TemporalEndTest, ARunThatTakesTooLongHasTimedOut) {
    const RunReport report = end_seen_twice(started("Wait", "{}", {.run_timeout = 1s}));
    EXPECT_EQ(report.state, RunState::timed_out);
}

TEST_F(TemporalEndTest, ATaskQueueWithoutWorkersTimesOutToo) {
    const RunReport report = end_seen_twice(
        started("Echo", "{}", {.task_queue = "nobody-polls", .execution_timeout = 1s}));
    EXPECT_EQ(report.state, RunState::timed_out);
}

TEST_F(TemporalEndTest, ACancelledRunIsCancelled) {
    const ExecutionKey key = started("Wait");
    EXPECT_EQ(cancel(*executor_, key, false).answer, true);
    EXPECT_EQ(end_seen_twice(key).state, RunState::cancelled);
}

TEST_F(TemporalEndTest, ARunMayCompleteInsteadOfBeingCancelled) {
    const ExecutionKey key = started("FinishOnCancel");
    EXPECT_EQ(cancel(*executor_, key, false).answer, true);
    EXPECT_EQ(cancel(*executor_, key, false).answer.has_value(), true);  // Again is no mistake.
    const RunReport report = end_seen_twice(key);
    EXPECT_EQ(report.state, RunState::completed);
    EXPECT_EQ(report.result, R"("finished instead")");
}

TEST_F(TemporalEndTest, ForceTerminatesARun) {
    const ExecutionKey key = started("FinishOnCancel");
    EXPECT_EQ(cancel(*executor_, key, true).answer, true);
    const RunReport report = end_seen_twice(key);
    EXPECT_EQ(report.state, RunState::terminated);
    EXPECT_EQ(report.message, "enough");
}

TEST_F(TemporalEndTest, ARunThatIsOverOrNotThereNeedsNoCancellation) {
    const ExecutionKey key = started("Nothing");
    ASSERT_EQ(end_of(key).state, RunState::completed);
    for (const bool is_forced : {false, true}) {
        // Servers differ in whether they say so.
        EXPECT_TRUE(cancel(*executor_, key, is_forced).answer);
        EXPECT_EQ(cancel(*executor_, new_execution(), is_forced).answer, false);
    }
    EXPECT_EQ(state_of(key).state, RunState::completed);
}

TEST_F(TemporalEndTest, RunsThatContinueAsNewAreFollowed) {
    const ExecutionKey key = started("ContinueAsNew", R"({"times":3})");
    const RunReport report = end_seen_twice(key);
    EXPECT_EQ(report.state, RunState::completed);
    EXPECT_EQ(report.result, R"("continued")");
    EXPECT_NE(report.run_id, run_id_);
}

TEST_F(TemporalEndTest, TheLatestRunIsCancelledWhicheverIsKnown) {
    const ExecutionKey key = started("ContinueAsNew", R"({"times":1,"waits":true})");
    while (state_of(key, run_id_).run_id == run_id_) {
    }
    EXPECT_EQ(cancel(*executor_, key, false, run_id_).answer, true);
    EXPECT_EQ(end_of(key, run_id_).state, RunState::cancelled);
}

TEST_F(TemporalEndTest, RunsThatAreRetriedAreFollowed) {
    const ExecutionKey key =
        started("FailFirst", R"({"times":2})", {.retry = RunRetry{.initial_interval = 100ms}});
    const RunReport report = end_seen_twice(key);
    EXPECT_EQ(report.state, RunState::completed);
    EXPECT_EQ(report.result, R"("at last")");
    EXPECT_NE(report.run_id, run_id_);
}

TEST_F(TemporalEndTest, ARetryPolicyEndsWithItsAttempts) {
    const RunReport report = end_seen_twice(started(
        "Fail", "{}", {.retry = RunRetry{.initial_interval = 10ms, .maximum_attempts = 3}}));
    EXPECT_EQ(report.state, RunState::failed);
    EXPECT_NE(report.run_id, run_id_);
}

TEST_F(TemporalEndTest, ARunThatIsResetIsFollowed) {
    const ExecutionKey key = started("Wait");
    const std::string first = run_id_;
    // Only a run whose worker has begun can be reset.
    run_temporal("workflow query --type __stack_trace --workflow-id " + workflow_id(key));
    Answer<CallResult<RunReport>> waiting(
        [&](auto done) { executor_->await_end(key, run_of(key, first), kPatience, done); });
    run_temporal("workflow reset --type FirstWorkflowTask --reason test --workflow-id " +
                 workflow_id(key));
    const RunReport moved = state_of(key, first);
    EXPECT_EQ(moved.state, RunState::running);
    EXPECT_NE(moved.run_id, first);
    EXPECT_TRUE(moved.is_ours);
    run_temporal("workflow signal --name finish --workflow-id " + workflow_id(key));
    EXPECT_EQ(waiting.get().answer.value_or(RunReport{}).state, RunState::completed);
}

TEST_F(TemporalEndTest, ARunThatNeverStartedIsNotThere) {
    for (const std::string& run_id :
         {std::string{}, std::string{"4d4a8b0e-6d3c-4c0e-9f6b-2f6b8a9c0d1e"}}) {
        EXPECT_FALSE(state_of(new_execution(), run_id).is_found);
        EXPECT_FALSE(end_of(new_execution(), run_id).is_found);
    }
}

TEST_F(TemporalEndTest, AnUnknownNamespaceHasNoRuns) {
    const ExecutionKey key = new_execution();
    const RunRef run{.name_space = "nowhere", .workflow_id = workflow_id(key)};
    const CallResult<RunReport> result = Answer<CallResult<RunReport>>([&](auto done) {
                                             executor_->describe(key, run, kPatience, done);
                                         }).get();
    ASSERT_TRUE(result.answer) << result.failure.message;
    EXPECT_FALSE(result.answer->is_found);
}

}  // namespace
}  // namespace millrace
