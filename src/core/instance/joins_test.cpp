#include <gtest/gtest.h>

#include "core/limits.hpp"
#include "support/instance_driver.hpp"

namespace millrace {
namespace {

// A4: branches of several steps; the join fires once, after the last one.
TEST(Joins, WaitForEveryBranchHoweverLong) {
    InstanceDriver run(flow(R"([
        {"id": "fork", "type": "PARALLEL_GATEWAY", "parallelNextSteps": ["a1", "b"],
         "joinStep": "join"},
        {"id": "a1", "type": "SERVICE_TASK", "jobType": "t", "nextStep": "a2"},
        {"id": "a2", "type": "SERVICE_TASK", "jobType": "t", "nextStep": "join"},
        {"id": "b", "type": "SERVICE_TASK", "jobType": "t", "nextStep": "join"},
        {"id": "join", "type": "JOIN_GATEWAY", "nextStep": "after"},
        {"id": "after", "type": "SERVICE_TASK", "jobType": "t", "nextStep": "end"},
        {"id": "end", "type": "END"}])"));
    ASSERT_TRUE(run.start());
    ASSERT_TRUE(run.complete("b"));
    EXPECT_EQ(run.current(), "a1 join");
    ASSERT_TRUE(run.complete("a1"));
    EXPECT_EQ(run.current(), "join a2");
    ASSERT_TRUE(run.complete("a2"));
    EXPECT_EQ(run.current(), "after");
    ASSERT_TRUE(run.complete("after"));
    EXPECT_EQ(run.told(),
              "fork:COMPLETED a1:COMPLETED b:COMPLETED join:COMPLETED a2:COMPLETED "
              "after:COMPLETED end:COMPLETED");
}

// A5: branches that finish in the same transaction.
TEST(Joins, FireWhenAllBranchesAreAutomatic) {
    InstanceDriver run(flow(R"([
        {"id": "fork", "type": "PARALLEL_GATEWAY", "parallelNextSteps": ["a", "b", "join"],
         "joinStep": "join"},
        {"id": "a", "type": "TRANSFORMATION", "transformations": {"x": 1}, "nextStep": "join"},
        {"id": "b", "type": "DECISION", "conditionalNextSteps": {"true": "join"}},
        {"id": "join", "type": "JOIN_GATEWAY", "nextStep": "end"},
        {"id": "end", "type": "END"}])"));
    ASSERT_TRUE(run.start());
    EXPECT_EQ(run.told(), "fork:COMPLETED a:COMPLETED join:COMPLETED b:COMPLETED end:COMPLETED");
}

TEST(Joins, WorkNested) {
    InstanceDriver run(flow(R"([
        {"id": "outer", "type": "PARALLEL_GATEWAY", "parallelNextSteps": ["inner", "c"],
         "joinStep": "outerJoin"},
        {"id": "inner", "type": "PARALLEL_GATEWAY", "parallelNextSteps": ["a", "b"],
         "joinStep": "innerJoin"},
        {"id": "a", "type": "SERVICE_TASK", "jobType": "t", "nextStep": "innerJoin"},
        {"id": "b", "type": "SERVICE_TASK", "jobType": "t", "nextStep": "innerJoin"},
        {"id": "c", "type": "SERVICE_TASK", "jobType": "t", "nextStep": "outerJoin"},
        {"id": "innerJoin", "type": "JOIN_GATEWAY", "nextStep": "d"},
        {"id": "d", "type": "SERVICE_TASK", "jobType": "t", "nextStep": "outerJoin"},
        {"id": "outerJoin", "type": "JOIN_GATEWAY", "nextStep": "end"},
        {"id": "end", "type": "END"}])"));
    ASSERT_TRUE(run.start());
    ASSERT_TRUE(run.complete("c"));
    ASSERT_TRUE(run.complete("a"));
    EXPECT_EQ(run.current(), "b outerJoin innerJoin");
    ASSERT_TRUE(run.complete("b"));
    EXPECT_EQ(run.current(), "outerJoin d");
    ASSERT_TRUE(run.complete("d"));
    EXPECT_EQ(run.instance().status, InstanceStatus::completed);
}

TEST(Joins, DoNotWaitForATokenThatEndedElsewhere) {
    InstanceDriver run(flow(R"([
        {"id": "fork", "type": "PARALLEL_GATEWAY", "parallelNextSteps": ["a", "b"],
         "joinStep": "join"},
        {"id": "a", "type": "SERVICE_TASK", "jobType": "t"},
        {"id": "b", "type": "SERVICE_TASK", "jobType": "t", "nextStep": "join"},
        {"id": "join", "type": "JOIN_GATEWAY", "nextStep": "end"},
        {"id": "end", "type": "END"}])"));
    ASSERT_TRUE(run.start());
    ASSERT_TRUE(run.complete("b"));
    EXPECT_EQ(run.current(), "a join");
    ASSERT_TRUE(run.complete("a"));
    EXPECT_EQ(run.instance().status, InstanceStatus::completed);
}

// An inner branch that goes straight to the outer join leaves the inner gateway.
TEST(Joins, LetATokenLeaveAnInnerGateway) {
    InstanceDriver run(flow(R"([
        {"id": "outer", "type": "PARALLEL_GATEWAY", "parallelNextSteps": ["inner", "c"],
         "joinStep": "outerJoin"},
        {"id": "inner", "type": "PARALLEL_GATEWAY", "parallelNextSteps": ["a", "b"],
         "joinStep": "innerJoin"},
        {"id": "a", "type": "SERVICE_TASK", "jobType": "t", "nextStep": "outerJoin"},
        {"id": "b", "type": "SERVICE_TASK", "jobType": "t", "nextStep": "innerJoin"},
        {"id": "c", "type": "SERVICE_TASK", "jobType": "t", "nextStep": "outerJoin"},
        {"id": "innerJoin", "type": "JOIN_GATEWAY", "nextStep": "outerJoin"},
        {"id": "outerJoin", "type": "JOIN_GATEWAY", "nextStep": "end"},
        {"id": "end", "type": "END"}])"));
    ASSERT_TRUE(run.start());
    ASSERT_TRUE(run.complete("b"));
    ASSERT_TRUE(run.complete("c"));
    EXPECT_EQ(run.current(), "a innerJoin outerJoin");
    ASSERT_TRUE(run.complete("a"));
    EXPECT_EQ(run.instance().status, InstanceStatus::completed);
    EXPECT_EQ(run.told(),
              "outer:COMPLETED inner:COMPLETED a:COMPLETED b:COMPLETED c:COMPLETED "
              "innerJoin:COMPLETED outerJoin:COMPLETED end:COMPLETED");
}

TEST(Joins, LetThroughWithoutAGateway) {
    InstanceDriver run(flow(R"([
        {"id": "join", "type": "JOIN_GATEWAY", "nextStep": "end"},
        {"id": "end", "type": "END"}])"));
    ASSERT_TRUE(run.start());
    EXPECT_EQ(run.told(), "join:COMPLETED end:COMPLETED");
}

TEST(Joins, FireAgainWhenTheGatewayIsPassedAgain) {
    InstanceDriver run(flow(R"([
        {"id": "fork", "type": "PARALLEL_GATEWAY", "parallelNextSteps": ["a", "b"],
         "joinStep": "join"},
        {"id": "a", "type": "SERVICE_TASK", "jobType": "t", "nextStep": "join"},
        {"id": "b", "type": "SERVICE_TASK", "jobType": "t", "nextStep": "join"},
        {"id": "join", "type": "JOIN_GATEWAY", "nextStep": "again"},
        {"id": "again", "type": "DECISION",
         "conditionalNextSteps": {"rounds == 1": "end", "true": "count"}},
        {"id": "count", "type": "TRANSFORMATION", "transformations": {"rounds": 1},
         "nextStep": "fork"},
        {"id": "end", "type": "END"}])"),
                       R"({"rounds": 0})");
    ASSERT_TRUE(run.start());
    for (int round = 0; round < 2; ++round) {
        ASSERT_TRUE(run.complete("a"));
        ASSERT_TRUE(run.complete("b"));
    }
    EXPECT_EQ(run.instance().status, InstanceStatus::completed);
}

// The path of a plain timer belongs to the gateway in which its step stands.
TEST(Joins, WaitForThePathOfATimer) {
    InstanceDriver run(flow(R"([
        {"id": "fork", "type": "PARALLEL_GATEWAY", "parallelNextSteps": ["a", "b"],
         "joinStep": "join"},
        {"id": "a", "type": "SERVICE_TASK", "jobType": "t", "nextStep": "join", "boundaryEvents":
          [{"type": "TIMER", "duration": "PT1S", "interrupting": false, "targetStepId": "remind"}]},
        {"id": "b", "type": "SERVICE_TASK", "jobType": "t", "nextStep": "join"},
        {"id": "remind", "type": "SERVICE_TASK", "jobType": "t", "nextStep": "join"},
        {"id": "join", "type": "JOIN_GATEWAY", "nextStep": "end"},
        {"id": "end", "type": "END"}])"));
    ASSERT_TRUE(run.start());
    ASSERT_TRUE(run.fire());
    ASSERT_TRUE(run.complete("a"));
    ASSERT_TRUE(run.complete("b"));
    EXPECT_EQ(run.current(), "remind join");
    ASSERT_TRUE(run.complete("remind"));
    EXPECT_EQ(run.instance().status, InstanceStatus::completed);
}

TEST(Joins, FailAGatewayThatIsEnteredFromInsideItselfTooOften) {
    InstanceDriver run(flow(R"([
        {"id": "fork", "type": "PARALLEL_GATEWAY", "parallelNextSteps": ["fork", "wait"],
         "joinStep": "join"},
        {"id": "wait", "type": "WAIT", "nextStep": "join"},
        {"id": "join", "type": "JOIN_GATEWAY", "nextStep": "end"},
        {"id": "end", "type": "END"}])"));
    ASSERT_TRUE(run.start());
    EXPECT_EQ(run.instance().status, InstanceStatus::failed);
    EXPECT_NE(run.instance().failure_reason->find("GatewayDepthLimitReached"), std::string::npos);
    // What the failure stopped is kept, so that a retry can go on.
    EXPECT_EQ(run.instance().state.pending_tokens.size(), limits::kGatewayDepthMax);
}

}  // namespace
}  // namespace millrace
