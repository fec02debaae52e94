#include <gtest/gtest.h>

#include "core/limits.hpp"
#include "support/instance_driver.hpp"

// Goal: whatever an older program or somebody's SQL has left in a row, its own instance fails with
// a reason, and nothing else happens. Method: one instance runs up to a step that waits; its stored
// value is then spoiled.
namespace millrace {
namespace {

constexpr std::string_view kTwoValues = "[0,0]";

constexpr std::string_view kTaskThenDecision = R"([
    {"id": "a", "type": "SERVICE_TASK", "jobType": "t", "nextStep": "way"},
    {"id": "way", "type": "DECISION", "conditionalNextSteps": {"true": "end"}},
    {"id": "end", "type": "END"}])";

constexpr std::string_view kTaskThenTransformation = R"([
    {"id": "a", "type": "SERVICE_TASK", "jobType": "t", "nextStep": "set"},
    {"id": "set", "type": "TRANSFORMATION", "transformations": {"n": 1}, "nextStep": "end"},
    {"id": "end", "type": "END"}])";

constexpr std::string_view kTimerOfAWait = R"([
    {"id": "w", "type": "WAIT", "nextStep": "end", "boundaryEvents": [
        {"type": "TIMER", "duration": "PT1H", "interrupting": true, "targetStepId": "end"}]},
    {"id": "end", "type": "END"}])";

std::string zeros(std::string_view name, std::size_t count) {
    std::string text = "{\"" + std::string(name) + "\":[0";
    for (std::size_t i = 1; i < count; ++i) text += ",0";
    return text + "]}";
}

TEST(Unreadable, VariablesOfMoreValuesThanAreReadNeverComeTogether) {
    InstanceDriver run(flow(kTaskThenDecision), zeros("a", 700'000));
    ASSERT_TRUE(run.start());
    const std::string before = run.variables();
    const Status refused = run.complete("a", zeros("b", 700'000));
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, ErrorCode::too_large);
    EXPECT_EQ(run.told(), "a:RUNNING");
    EXPECT_TRUE(run.variables() == before);
    // The worker reports less, and all goes on.
    ASSERT_TRUE(run.complete("a", R"({"b": 1})"));
    EXPECT_EQ(run.instance().status, InstanceStatus::completed);
}

TEST(Unreadable, ATransformationThatMakesTooMuchFailsItsInstance) {
    InstanceDriver run(flow(R"([
        {"id": "set", "type": "TRANSFORMATION", "transformations": {"b": "${a}"},
         "nextStep": "end"},
        {"id": "end", "type": "END"}])"),
                       zeros("a", 700'000));
    ASSERT_TRUE(run.start());
    EXPECT_EQ(run.instance().status, InstanceStatus::failed);
    EXPECT_NE(run.instance().failure_reason->find("WorkLimitReached"), std::string::npos);
}

TEST(Unreadable, StoredVariablesFailTheInstanceThatLooksInside) {
    for (const std::string_view steps : {kTaskThenDecision, kTaskThenTransformation}) {
        for (const std::string_view reported : {"null", R"({"b": 1})"}) {
            InstanceDriver run(flow(steps));
            ASSERT_TRUE(run.start());
            run.stored().variables = Variables::from_text(R"({"a":1,"a":2})");
            ASSERT_TRUE(run.complete("a", reported));
            EXPECT_EQ(run.instance().status, InstanceStatus::failed);
            EXPECT_NE(run.instance().failure_reason->find("cannot be read"), std::string::npos);
            EXPECT_EQ(run.variables(), R"({"a":1,"a":2})") << "nothing is lost";
        }
    }
}

TEST(Unreadable, StoredVariablesAreNotReplacedByAChange) {
    InstanceDriver run(flow(kTaskThenDecision));
    ASSERT_TRUE(run.start());
    run.stored().variables = Variables::from_text(std::string(kTwoValues));
    const Status refused = run.handle(VariablesChanged{.changes = json_of(R"({"b": 1})")});
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, ErrorCode::internal);
    EXPECT_EQ(run.variables(), kTwoValues);
}

TEST(Unreadable, AStateThatNamesAStepOfNoDefinitionFailsItsInstance) {
    InstanceDriver run(flow(kTaskThenDecision));
    ASSERT_TRUE(run.start());
    run.stored().state.open_steps.front().step_id = "gone";
    ASSERT_TRUE(run.complete("a"));
    EXPECT_EQ(run.instance().status, InstanceStatus::failed);
    const Status refused = run.handle(RetryRequested{});
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, ErrorCode::internal);
}

TEST(Unreadable, ATokenOnItsWayToNowhereFailsItsInstance) {
    InstanceDriver run(flow(kTaskThenDecision));
    ASSERT_TRUE(run.start());
    ASSERT_TRUE(run.handle(SuspendRequested{}));
    ASSERT_TRUE(run.complete("a"));
    run.stored().state.pending_tokens.front().step_id = "gone";
    ASSERT_TRUE(run.handle(ResumeRequested{}));
    EXPECT_EQ(run.instance().status, InstanceStatus::failed);
}

TEST(Unreadable, AJoinThatIsNotOpenFailsItsInstance) {
    InstanceDriver run(flow(R"([
        {"id": "fork", "type": "PARALLEL_GATEWAY", "parallelNextSteps": ["a", "b"],
         "joinStep": "join"},
        {"id": "a", "type": "SERVICE_TASK", "jobType": "t", "nextStep": "join"},
        {"id": "b", "type": "SERVICE_TASK", "jobType": "t", "nextStep": "join"},
        {"id": "join", "type": "JOIN_GATEWAY", "nextStep": "end"},
        {"id": "end", "type": "END"}])"));
    ASSERT_TRUE(run.start());
    ASSERT_TRUE(run.complete("a"));
    run.stored().state.activations.front().join_sequence = 99;
    ASSERT_TRUE(run.complete("b"));
    EXPECT_EQ(run.instance().status, InstanceStatus::failed);
}

TEST(Unreadable, ATimerOfNoDefinitionFailsItsInstance) {
    InstanceDriver run(flow(kTimerOfAWait));
    ASSERT_TRUE(run.start());
    run.stored().state.open_steps.front().timers.front().boundary_timer = 7;
    ASSERT_TRUE(run.fire());
    EXPECT_EQ(run.instance().status, InstanceStatus::failed);
}

TEST(Unreadable, ADefinitionWithoutStepsIsNotStartedHere) {
    InstanceDriver run(definition_of(R"({"id": "far", "name": "Far", "executor":
        {"kind": "temporal", "taskQueue": "q", "workflowType": "w"}})"));
    const Status refused = run.start();
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, ErrorCode::invalid_argument);
}

TEST(Unreadable, ANameThatNoStoreKeepsIsWrittenAsJsonWouldShowIt) {
    const Result<DefinitionPtr> old = parse_stored_definition(json_of(R"({
        "id": "old", "name": "Old", "autoStartNextWorkflow": true, "nextWorkflowId": "a\u0000b",
        "steps": [{"id": "u", "name": "U\u0000", "type": "USER_TASK", "nextStep": "end"},
                  {"id": "end", "name": "End", "type": "END"}]})"));
    ASSERT_TRUE(old) << old.error().detail;
    InstanceDriver run(*old);
    ASSERT_TRUE(run.start());
    EXPECT_EQ(run.user_tasks().begin()->second.name, "U\\u0000");
}

}  // namespace
}  // namespace millrace
