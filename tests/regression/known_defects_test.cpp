// Defects that engines of this kind are known for, each with the letter of its class: A loses,
// repeats or corrupts work, B has wrong semantics. Where a rule is pure, its regression test lies
// beside it: A4 A5 joins_test, A7 A9 B3 timers_test, A12 B1 B2 B4 B5 B6 B9 B10 advance_test, B7 B8
// the expression tests. A6 and A13 (a pool and locks that wait for each other) are ruled out by
// postgres_stress_test; B16 (documents that say something else) by tools/links_test.py; C2 (no end
// on SIGTERM, silent failures at start) by e2e/drain_test.py. Every test here runs on every store.

#include <gtest/gtest.h>

#include "engine/cancel_instance.hpp"
#include "engine/complete_user_task.hpp"
#include "store_conformance/world.hpp"
#include "support/test_node.hpp"

namespace millrace {
namespace {

constexpr std::string_view kTwoTasks = R"({"id": "two", "name": "Two", "steps": [
    {"id": "a", "name": "A", "type": "SERVICE_TASK", "jobType": "t", "nextStep": "b",
     "retryCount": 1},
    {"id": "b", "name": "B", "type": "SERVICE_TASK", "jobType": "t", "nextStep": "end"},
    {"id": "end", "name": "End", "type": "END"}]})";

class KnownDefects : public testing::TestWithParam<Candidate> {
protected:
    std::unique_ptr<World> world_ = GetParam().make();
    FakeClock clock_{kNoon};
    TestNode node_{world_->database(), clock_};
};

TEST_P(KnownDefects, A1_DuplicateCompletionsRunTheNextStepOnce) {
    node_.upload(kTwoTasks);
    const Instance started = *node_.start("two");
    const DeliveredJob job = node_.poll("t").at(0);

    int accepted = 0;
    for (int i = 0; i < 4; ++i) {
        node_.queue().submit(CompleteJob{.job = job.job.key, .proof = {kWorker}},
                             [&](const Result<Job>& answer) { accepted += answer ? 1 : 0; });
    }
    node_.commit();
    EXPECT_EQ(accepted, 4);
    EXPECT_EQ(node_.told(started.key), "a:COMPLETED b:RUNNING");
    EXPECT_EQ(node_.poll("t").size(), 1u);
}

TEST_P(KnownDefects, A2_FailingAFinishedJobChangesNothing) {
    node_.upload(kTwoTasks);
    const Instance started = *node_.start("two");
    const DeliveredJob first = node_.poll("t").at(0);
    ASSERT_TRUE(node_.complete(first));
    ASSERT_TRUE(node_.complete(node_.poll("t").at(0)));
    const Instance before = node_.instance(started.key);
    ASSERT_EQ(before.status, InstanceStatus::completed);

    EXPECT_TRUE(node_.fail(first, false));
    EXPECT_TRUE(node_.fail(first, true));
    EXPECT_EQ(node_.instance(started.key), before);
    EXPECT_TRUE(node_.poll("t").empty());
}

TEST_P(KnownDefects, A3_StrangersAndFailedJobsAreRefused) {
    node_.upload(kTwoTasks);
    const Instance started = *node_.start("two");
    const DeliveredJob job = node_.poll("t").at(0);

    const auto stranger =
        node_.run(CompleteJob{.job = job.job.key, .proof = {.worker_id = kOtherWorker}});
    ASSERT_FALSE(stranger);
    EXPECT_EQ(stranger.error().code, ErrorCode::lease_lost);

    ASSERT_TRUE(node_.fail(job, false, "broken"));
    const auto late = node_.complete(job);
    ASSERT_FALSE(late);
    EXPECT_EQ(late.error().code, ErrorCode::conflict);
    EXPECT_EQ(node_.told(started.key), "a:FAILED");
    EXPECT_EQ(node_.instance(started.key).failure_reason, "broken");
}

TEST_P(KnownDefects, A3_AHolderBeyondItsLeaseIsAcceptedUntilSomebodyElseClaims) {
    node_.upload(kTwoTasks);
    ASSERT_TRUE(node_.start("two"));
    const DeliveredJob first = node_.poll("t").at(0);
    clock_.advance(kLease);
    node_.settle();
    const DeliveredJob second = node_.poll("t", 1, kOtherWorker).at(0);
    EXPECT_EQ(second.job.key, first.job.key);
    EXPECT_EQ(second.job.retries_remaining, 1) << "expiry consumes no retry";

    const auto stale = node_.complete(first);
    ASSERT_FALSE(stale);
    EXPECT_EQ(stale.error().code, ErrorCode::lease_lost);
    EXPECT_TRUE(node_.complete(second));
}

TEST_P(KnownDefects, A8_ATimerThatCouldNotFireFiresLater) {
    node_.upload(R"({"id": "timed", "name": "Timed", "steps": [
        {"id": "a", "name": "A", "type": "WAIT", "nextStep": "end", "boundaryEvents": [{"type":
         "TIMER", "duration": "PT1M", "interrupting": true, "targetStepId": "late"}]},
        {"id": "late", "name": "L", "type": "END"}, {"id": "end", "name": "E", "type": "END"}]})");
    const Instance started = *node_.start("timed");
    clock_.advance(1min);
    {
        // A server that dies right after it has looked: nothing is marked, nothing is lost.
        TestNode crashed(world_->database(), clock_);
        ASSERT_EQ(crashed.reader().due_timers(clock_.now(), 10)->size(), 1u);
    }
    node_.settle();
    EXPECT_EQ(node_.told(started.key), "a:FAILED late:COMPLETED");
    EXPECT_TRUE(node_.reader().due_timers(clock_.now(), 10)->empty());
}

TEST_P(KnownDefects, A9_AnInterruptedUserTaskCannotBeCompleted) {
    node_.upload(R"({"id": "ask", "name": "Ask", "steps": [
        {"id": "a", "name": "A", "type": "USER_TASK", "nextStep": "end", "boundaryEvents": [{"type":
         "TIMER", "duration": "PT1M", "interrupting": true, "targetStepId": "late"}]},
        {"id": "late", "name": "L", "type": "SERVICE_TASK", "jobType": "t", "nextStep": "end"},
        {"id": "end", "name": "E", "type": "END"}]})");
    const Instance started = *node_.start("ask");
    clock_.advance(1min);
    node_.settle();
    const auto late = node_.run(CompleteUserTask{.instance = started.key, .step_id = "a"});
    ASSERT_FALSE(late);
    EXPECT_EQ(late.error().code, ErrorCode::not_found);
    EXPECT_EQ(node_.told(started.key), "a:FAILED late:RUNNING");
}

TEST_P(KnownDefects, A10_AChainedWorkflowStartsInTheTransactionThatEndsItsParent) {
    node_.upload(R"({"id": "first", "name": "F", "autoStartNextWorkflow": true,
        "nextWorkflowId": "two", "steps": [{"id": "end", "name": "E", "type": "END"}]})");
    node_.upload(kTwoTasks);
    const Instance parent = *node_.start("first", R"({"x": 1})");
    EXPECT_EQ(parent.status, InstanceStatus::completed);

    const DeliveredJob job = node_.poll("t").at(0);
    EXPECT_EQ(job.variables.text(), R"({"x":1})");
    const Instance child = node_.instance({instance_of(job.job.key.id), job.job.key.workspace_id});
    EXPECT_EQ(child.parent_id, parent.key.id);
    EXPECT_EQ(child.definition.id, "two");
}

TEST_P(KnownDefects, A10_AMissingSuccessorIsRecordedAndTheParentCompletes) {
    node_.upload(R"({"id": "first", "name": "F", "autoStartNextWorkflow": true,
        "nextWorkflowId": "nowhere", "steps": [{"id": "end", "name": "E", "type": "END"}]})");
    const Instance parent = *node_.start("first");
    EXPECT_EQ(parent.status, InstanceStatus::completed);
    EXPECT_EQ(node_.instance(parent.key).state.chain_failure,
              "CHAIN_FAILED: there is no definition \"nowhere\"");
}

TEST_P(KnownDefects, A11_ACancelledInstanceHandsOutNoJobsAndSwallowsLateResults) {
    node_.upload(kTwoTasks);
    const Instance waiting = *node_.start("two");
    ASSERT_TRUE(node_.run(CancelInstance{waiting.key, "stop"}));
    EXPECT_TRUE(node_.poll("t").empty());

    const Instance running = *node_.start("two");
    const DeliveredJob job = node_.poll("t").at(0);
    ASSERT_TRUE(node_.run(CancelInstance{running.key, "stop"}));
    EXPECT_TRUE(node_.complete(job));
    EXPECT_EQ(node_.told(running.key), "a:SKIPPED");
    EXPECT_EQ(node_.run(CancelInstance{running.key, ""}).error().code, ErrorCode::conflict);
}

TEST_P(KnownDefects, A12_IntegersOf64BitsStayExactOnTheirWayThroughTheStore) {
    node_.upload(kTwoTasks);
    const Instance started = *node_.start("two", R"({"id": 9223372036854775807})");
    ASSERT_TRUE(node_.complete(node_.poll("t").at(0), R"({"other": -9007199254740993})"));
    EXPECT_EQ(node_.instance(started.key).variables.text(),
              R"({"id":9223372036854775807,"other":-9007199254740993})");
}

TEST_P(KnownDefects, B9_TriesLeaveTheirTraceInHistory) {
    node_.upload(kTwoTasks);
    const Instance started = *node_.start("two");
    ASSERT_TRUE(node_.fail(node_.poll("t").at(0), true, "first"));
    const DeliveredJob again = node_.poll("t", 1, kOtherWorker).at(0);
    EXPECT_EQ(again.job.retries_remaining, 0);
    ASSERT_TRUE(node_.complete(again));

    const auto lines = read(GetHistory{started.key}, node_.reader());
    ASSERT_EQ(lines->lines.at(0).tries.size(), 2u);
    EXPECT_EQ(lines->lines.at(0).tries[0].message, "first");
    EXPECT_EQ(lines->lines.at(0).tries[0].worker_id, kWorker);
    EXPECT_EQ(lines->lines.at(0).tries[1].worker_id, kOtherWorker);
}

TEST_P(KnownDefects, B12_WhatDoesNotExistIsNotFound) {
    EXPECT_EQ(node_.start("nothing").error().code, ErrorCode::not_found);
    EXPECT_EQ(node_.run(CompleteJob{.job = job_key(5)}).error().code, ErrorCode::not_found);
    EXPECT_EQ(node_.run(FailJob{.job = job_key(5)}).error().code, ErrorCode::not_found);
    const InstanceKey nobody{{Id128::for_instance(kNoon, 5)}, kWorkspace};
    EXPECT_EQ(node_.run(CancelInstance{nobody, ""}).error().code, ErrorCode::not_found);
    EXPECT_EQ(read(GetHistory{nobody}, node_.reader()).error().code, ErrorCode::not_found);
}

TEST_P(KnownDefects, B13_HistoryIsInOrderOfEntryWithinOneTransaction) {
    node_.upload(R"({"id": "auto", "name": "Auto", "steps": [
        {"id": "z", "name": "Z", "type": "TRANSFORMATION", "transformations": {"x": 1},
         "nextStep": "m"},
        {"id": "m", "name": "M", "type": "DECISION", "conditionalNextSteps": {"x == 1": "a"}},
        {"id": "a", "name": "A", "type": "END"}]})");
    const Instance started = *node_.start("auto");
    EXPECT_EQ(node_.told(started.key), "z:COMPLETED m:COMPLETED a:COMPLETED");
}

TEST_P(KnownDefects, B14_UploadsAtTheSameTimeGetVersionsOfTheirOwn) {
    std::vector<std::int32_t> versions;
    for (const char* name : {"One", "Two", "One", "Three"}) {
        const std::string document = R"({"id": "race", "name": ")" + std::string(name) +
                                     R"(", "steps": [{"id": "end", "name": "E", "type": "END"}]})";
        node_.queue().submit(*make_upload(kWorkspace, json_of(document)),
                             [&](const Result<UploadedDefinition>& uploaded) {
                                 ASSERT_TRUE(uploaded);
                                 versions.push_back(uploaded->version);
                             });
    }
    node_.commit();
    EXPECT_EQ(versions, (std::vector<std::int32_t>{1, 2, 1, 3}));
}

INSTANTIATE_TEST_SUITE_P(All, KnownDefects, testing::ValuesIn(kCandidates),
                         [](const auto& world) { return world.param.name; });

}  // namespace
}  // namespace millrace
