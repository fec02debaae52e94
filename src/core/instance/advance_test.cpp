#include "core/instance/advance.hpp"

#include <gtest/gtest.h>

#include "core/limits.hpp"
#include "support/instance_driver.hpp"

namespace millrace {
namespace {

using enum InstanceStatus;

constexpr std::string_view kOneTask = R"([
    {"id": "a", "type": "SERVICE_TASK", "jobType": "t", "nextStep": "end", "retryCount": 2},
    {"id": "end", "type": "END"}])";

TEST(AdvanceServiceTask, CreatesAJobAndCompletesWithItsVariables) {
    InstanceDriver run(flow(kOneTask), R"({"x": 1})");
    ASSERT_TRUE(run.start());

    EXPECT_EQ(run.instance().status, active);
    EXPECT_EQ(run.current(), "a");
    const Job& job = run.jobs().begin()->second;
    EXPECT_EQ(job.job_type.value, "t");
    EXPECT_EQ(job.retries_remaining, 2);
    EXPECT_EQ(job.step_id, "a");

    ASSERT_TRUE(run.complete("a", R"({"y": null, "x": {"z": 2}})"));
    EXPECT_EQ(run.instance().status, completed);
    EXPECT_EQ(run.variables(), R"({"x":{"z":2},"y":null})");
    EXPECT_EQ(run.told(), "a:COMPLETED end:COMPLETED");
    EXPECT_EQ(run.current(), "");
}

TEST(AdvanceServiceTask, FailsTheInstanceWithTheMessageOfItsJob) {
    InstanceDriver run(flow(kOneTask));
    ASSERT_TRUE(run.start());
    ASSERT_TRUE(run.fail("a", "card declined"));

    EXPECT_EQ(run.instance().status, failed);
    EXPECT_EQ(run.instance().failure_reason, "card declined");
    EXPECT_EQ(run.told(), "a:FAILED");
    EXPECT_EQ(run.history()[0].failure_reason, "card declined");
    EXPECT_EQ(run.history()[0].job_status, JobState::failed);
    EXPECT_EQ(run.current(), "a");
}

TEST(AdvanceServiceTask, NotesATryThatEndedAndGoesOn) {
    InstanceDriver run(flow(kOneTask));
    ASSERT_TRUE(run.start());
    const Try first{.worker_id = kWorker, .lease_token = 1, .outcome = TryOutcome::expired};
    ASSERT_TRUE(run.handle(JobTried{run.job_at("a").id, first}));
    EXPECT_EQ(run.told(), "a:RUNNING");

    ASSERT_TRUE(run.complete("a"));
    ASSERT_EQ(run.history()[0].tries.size(), 2u);
    EXPECT_EQ(run.history()[0].tries[0], first);
}

TEST(AdvanceServiceTask, RefusesVariablesBeyondTheLimitAndChangesNothing) {
    InstanceDriver run(flow(kOneTask));
    ASSERT_TRUE(run.start());
    const std::string big(limits::kVariablesBytesMax, 'x');
    const Status refused = run.complete("a", R"({"big": ")" + big + R"("})");
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, ErrorCode::too_large);
    EXPECT_EQ(run.told(), "a:RUNNING");
}

TEST(AdvanceServiceTask, HonoursConditionalNextStepsBeforeNextStep) {
    const DefinitionPtr definition = flow(R"([
        {"id": "a", "type": "SERVICE_TASK", "jobType": "t", "nextStep": "no",
         "conditionalNextSteps": {"#ok == true": "yes"}},
        {"id": "yes", "type": "END"}, {"id": "no", "type": "END"}])");
    InstanceDriver run(definition);
    ASSERT_TRUE(run.start());
    ASSERT_TRUE(run.complete("a", R"({"ok": true})"));
    EXPECT_EQ(run.told(), "a:COMPLETED yes:COMPLETED");

    InstanceDriver unmatched(definition);
    ASSERT_TRUE(unmatched.start());
    ASSERT_TRUE(unmatched.complete("a", R"({"ok": false})"));
    EXPECT_EQ(unmatched.instance().status, failed);
    EXPECT_EQ(unmatched.instance().failure_reason,
              "no conditionalNextSteps branch matched (DecisionNoBranchMatched)");
}

TEST(AdvanceServiceTask, ShowsItsJobTheVariablesOfItsCreation) {
    InstanceDriver run(flow(R"([
        {"id": "fork", "type": "PARALLEL_GATEWAY", "parallelNextSteps": ["a", "b", "set"],
         "joinStep": "join"},
        {"id": "a", "type": "SERVICE_TASK", "jobType": "t", "nextStep": "join"},
        {"id": "b", "type": "SERVICE_TASK", "jobType": "t", "nextStep": "join"},
        {"id": "set", "type": "TRANSFORMATION", "transformations": {"x": 2}, "nextStep": "join"},
        {"id": "join", "type": "JOIN_GATEWAY", "nextStep": "end"},
        {"id": "end", "type": "END"}])"),
                       R"({"x": 1})");
    ASSERT_TRUE(run.start());
    EXPECT_EQ(run.variables(), R"({"x":2})");
    EXPECT_EQ(run.jobs().at(run.job_at("a")).variables->text(), R"({"x":1})");
    EXPECT_EQ(run.jobs().at(run.job_at("b")).variables->text(), R"({"x":1})");
    // The driver refuses a second snapshot.
    ASSERT_TRUE(run.complete("a", R"({"x": 3})"));
    EXPECT_EQ(run.jobs().at(run.job_at("b")).variables->text(), R"({"x":1})");
}

// Found by random definitions, seed 795026252351520917.
TEST(AdvanceServiceTask, TakesNoSnapshotForAJobThatEndsInTheSameRun) {
    InstanceDriver run(flow(R"([
        {"id": "fork", "type": "PARALLEL_GATEWAY", "parallelNextSteps": ["a", "b"],
         "joinStep": "join"},
        {"id": "a", "type": "SERVICE_TASK", "jobType": "t", "nextStep": "end"},
        {"id": "b", "type": "SERVICE_TASK", "jobType": "t", "nextStep": "join"},
        {"id": "join", "type": "JOIN_GATEWAY", "nextStep": "end"},
        {"id": "end", "type": "END"}])"));
    ASSERT_TRUE(run.start());
    const auto effects = advance(
        *run.definition(), run.instance(),
        JobCompleted{.job = run.job_at("a").id, .variables = json_of(R"({"x": 1})")}, kNoon);
    ASSERT_TRUE(effects);
    EXPECT_EQ(effects->instance.status, completed);
    EXPECT_EQ(effects->jobs_removed.size(), 2u);
    EXPECT_TRUE(effects->job_variables.empty());
}

// B4: a task without a next step ends its token.
TEST(AdvanceEnds, CompletesWhenTheLastTokenHasEnded) {
    InstanceDriver run(flow(R"([
        {"id": "choose", "type": "DECISION", "conditionalNextSteps": {"true": "a", "false": "end"}},
        {"id": "a", "type": "SERVICE_TASK", "jobType": "t"},
        {"id": "end", "type": "END"}])"));
    ASSERT_TRUE(run.start());
    ASSERT_TRUE(run.complete("a"));
    EXPECT_EQ(run.instance().status, completed);
    EXPECT_EQ(run.told(), "choose:COMPLETED a:COMPLETED");
}

// B5: END completes the instance and closes what else is open.
TEST(AdvanceEnds, SkipsSiblingsWhenOneBranchReachesEnd) {
    InstanceDriver run(flow(R"([
        {"id": "fork", "type": "PARALLEL_GATEWAY", "parallelNextSteps": ["a", "ask", "stop"],
         "joinStep": "join"},
        {"id": "a", "type": "SERVICE_TASK", "jobType": "t", "nextStep": "join"},
        {"id": "ask", "type": "USER_TASK", "nextStep": "join"},
        {"id": "stop", "type": "WAIT", "nextStep": "end"},
        {"id": "join", "type": "JOIN_GATEWAY", "nextStep": "end"},
        {"id": "end", "type": "END"}])"));
    ASSERT_TRUE(run.start());
    EXPECT_EQ(run.instance().status, waiting);
    ASSERT_TRUE(run.signal("stop"));
    EXPECT_EQ(run.instance().status, completed);
    EXPECT_EQ(run.told(), "fork:COMPLETED a:SKIPPED ask:SKIPPED stop:COMPLETED end:COMPLETED");
}

TEST(AdvanceEnds, NamesTheChainedDefinition) {
    InstanceDriver run(flow(kOneTask, R"({"autoStartNextWorkflow": true, "nextWorkflowId": "n"})"));
    ASSERT_TRUE(run.start());
    EXPECT_EQ(run.chained(), "");
    ASSERT_TRUE(run.complete("a"));
    EXPECT_EQ(run.chained(), "n");
}

// A11: a cancelled instance leaves nothing behind.
TEST(AdvanceCancel, ClosesWhatIsOpenAndKeepsItsIds) {
    InstanceDriver run(flow(R"([
        {"id": "a", "type": "SERVICE_TASK", "jobType": "t", "nextStep": "end", "boundaryEvents":
          [{"type": "TIMER", "duration": "PT1H", "interrupting": true, "targetStepId": "end"}]},
        {"id": "end", "type": "END"}])"));
    ASSERT_TRUE(run.start());
    ASSERT_TRUE(run.handle(CancelRequested{"changed my mind"}));
    EXPECT_EQ(run.instance().status, cancelled);
    EXPECT_EQ(run.instance().failure_reason, "changed my mind");
    EXPECT_EQ(run.told(), "a:SKIPPED");
    EXPECT_EQ(run.current(), "a");
    EXPECT_EQ(run.history()[0].job_status, JobState::cancelled);

    const Status again = run.handle(CancelRequested{});
    ASSERT_FALSE(again);
    EXPECT_EQ(again.error().code, ErrorCode::conflict);
}

TEST(AdvanceUserTask, WaitsAndKeepsWhoCompletedIt) {
    InstanceDriver run(flow(R"([
        {"id": "ask", "type": "USER_TASK", "nextStep": "end"}, {"id": "end", "type": "END"}])"));
    ASSERT_TRUE(run.start());
    EXPECT_EQ(run.instance().status, waiting);
    ASSERT_TRUE(run.complete_task("ask", R"({"approved": true})"));
    EXPECT_EQ(run.variables(), R"({"approved":true})");
    EXPECT_EQ(run.history()[0].completed_by, "ann");
}

struct Refusal {
    const char* name;
    Event event;
    ErrorCode expected;
};

class AdvanceRefusals : public testing::TestWithParam<Refusal> {};

// Goal: an event that does not fit gets the code of the contract and changes nothing.
// Method: an instance that waits at `here`, a WAIT, with a USER_TASK `later` not reached yet.
TEST_P(AdvanceRefusals, HaveTheirCode) {
    InstanceDriver run(flow(R"([
        {"id": "here", "type": "WAIT", "nextStep": "later"},
        {"id": "later", "type": "USER_TASK", "nextStep": "end"},
        {"id": "end", "type": "END"}])"));
    ASSERT_TRUE(run.start());
    const Instance before = run.instance();
    const Status refused = run.handle(GetParam().event);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, GetParam().expected);
    EXPECT_EQ(run.instance(), before);
}

INSTANTIATE_TEST_SUITE_P(
    All, AdvanceRefusals,
    testing::Values(
        Refusal{"TaskOfUnknownStep", UserTaskCompleted{"nowhere"}, ErrorCode::not_found},
        Refusal{"TaskOfAnotherType", UserTaskCompleted{"here"}, ErrorCode::invalid_argument},
        Refusal{"TaskNotOpen", UserTaskCompleted{"later"}, ErrorCode::not_found},
        Refusal{"SignalToUnknownStep", SignalReceived{"nowhere"}, ErrorCode::conflict},
        Refusal{"SignalToAnotherType", SignalReceived{"later"}, ErrorCode::invalid_argument},
        Refusal{"JobOfNoStep",
                JobCompleted{.job = {Id128::for_instance(kNoon, 7).with_sequence(9)}},
                ErrorCode::conflict},
        Refusal{"TimerOfNoStep", TimerFired{{Id128::for_instance(kNoon, 7).with_sequence(9)}},
                ErrorCode::not_found}),
    [](const auto& row) { return row.param.name; });

TEST(AdvanceTerminal, RefusesTasksAndSignalsOnceItHasEnded) {
    InstanceDriver run(flow(R"([
        {"id": "wait", "type": "WAIT", "nextStep": "ask"},
        {"id": "ask", "type": "USER_TASK", "nextStep": "end"}, {"id": "end", "type": "END"}])"));
    ASSERT_TRUE(run.start());
    ASSERT_TRUE(run.signal("wait"));
    EXPECT_EQ(run.signal("wait").error().code, ErrorCode::conflict);
    ASSERT_TRUE(run.complete_task("ask"));
    EXPECT_EQ(run.complete_task("ask").error().code, ErrorCode::conflict);
    EXPECT_EQ(run.signal("wait").error().code, ErrorCode::conflict);
}

// B1: the first branch that holds wins, in the order of the document.
TEST(AdvanceDecision, TakesTheFirstBranchThatHolds) {
    const DefinitionPtr definition = flow(R"([
        {"id": "d", "type": "DECISION", "conditionalNextSteps":
          {"fraud > 0.8": "reject", "credit >= 700": "approve", "true": "review"}},
        {"id": "reject", "type": "END"}, {"id": "approve", "type": "END"},
        {"id": "review", "type": "END"}])");
    InstanceDriver run(definition, R"({"credit": 700, "fraud": 0.9})");
    ASSERT_TRUE(run.start());
    EXPECT_EQ(run.told(), "d:COMPLETED reject:COMPLETED");
}

// B6: an expression that cannot be computed fails the instance, not the caller.
TEST(AdvanceDecision, FailsTheInstanceWhenAnExpressionFails) {
    InstanceDriver run(flow(R"([
        {"id": "d", "type": "DECISION", "conditionalNextSteps": {"1 / n > 1": "end"}},
        {"id": "end", "type": "END"}])"),
                       R"({"n": 0})");
    ASSERT_TRUE(run.start());
    EXPECT_EQ(run.instance().status, failed);
    EXPECT_EQ(
        run.instance().failure_reason->find("expression eval error: expression \"1 / n > 1\""), 0u);
    EXPECT_EQ(run.current(), "d");
    EXPECT_EQ(run.told(), "d:FAILED");
}

// B2: entries are set in the order of the document and see those before them.
TEST(AdvanceTransformation, SetsItsEntriesInOrder) {
    InstanceDriver run(flow(R"([
        {"id": "t", "type": "TRANSFORMATION", "nextStep": "end", "transformations":
          {"z": "${x + 1}", "a": "${z * 2}", "text": "${a} + ${b}x", "at": "${now()}",
           "nested": {"keep": "${x}"}}},
        {"id": "end", "type": "END"}])"),
                       R"({"x": 1})");
    ASSERT_TRUE(run.start());
    EXPECT_EQ(run.variables(),
              R"({"x":1,"z":2,"a":4,"text":"${a} + ${b}x","at":"2030-01-01T12:00:00Z",)"
              R"("nested":{"keep":"${x}"}})");
}

TEST(AdvanceTransformation, FailsTheInstanceAndKeepsTheVariables) {
    InstanceDriver run(flow(R"([
        {"id": "t", "type": "TRANSFORMATION", "nextStep": "end",
         "transformations": {"a": 1, "b": "${missing + 1}"}},
        {"id": "end", "type": "END"}])"));
    ASSERT_TRUE(run.start());
    EXPECT_EQ(run.instance().status, failed);
    EXPECT_EQ(run.instance().failure_reason->find(
                  "transformation \"b\": expression eval: expression \"missing + 1\": "),
              0u)
        << *run.instance().failure_reason;
    EXPECT_EQ(run.variables(), "{}");
}

// No store keeps U+0000 in a text: the instance would neither fail nor go on.
TEST(AdvanceTransformation, FailsWithAReasonThatCanBeStoredWhateverItQuotes) {
    InstanceDriver run(flow(R"([
        {"id": "t", "type": "TRANSFORMATION", "nextStep": "end",
         "transformations": {"a": "${missing + 'x\u0000y\u0000'}"}},
        {"id": "end", "type": "END"}])"));
    ASSERT_TRUE(run.start());
    EXPECT_EQ(run.instance().status, failed);
    const std::string reason = run.instance().failure_reason.value_or("");
    EXPECT_EQ(reason.find('\0'), std::string::npos);
    EXPECT_NE(reason.find(R"('x\u0000y\u0000')"), std::string::npos) << reason;
    EXPECT_EQ(run.history().back().failure_reason, reason);
}

// A12: integers of 64 bits stay exact.
TEST(AdvanceTransformation, CarriesLargeIntegersExactly) {
    InstanceDriver run(flow(R"([
        {"id": "t", "type": "TRANSFORMATION", "nextStep": "end",
         "transformations": {"copy": "${big}"}},
        {"id": "end", "type": "END"}])"),
                       R"({"big": 9007199254740993})");
    ASSERT_TRUE(run.start());
    EXPECT_EQ(run.variables(), R"({"big":9007199254740993,"copy":9007199254740993})");
}

// B10: a cycle of automatic steps ends at a limit.
TEST(AdvanceLimits, EndsACycleOfAutomaticSteps) {
    InstanceDriver run(flow(R"([
        {"id": "t", "type": "TRANSFORMATION", "transformations": {"n": "${(n ?? 0) + 1}"},
         "nextStep": "d"},
        {"id": "d", "type": "DECISION", "conditionalNextSteps": {"n < 0": "end", "true": "t"}},
        {"id": "end", "type": "END"}])"));
    ASSERT_TRUE(run.start());
    EXPECT_EQ(run.instance().status, failed);
    EXPECT_NE(run.instance().failure_reason->find("AutomaticStepLimitReached"), std::string::npos);
    EXPECT_EQ(run.history().size(), static_cast<std::size_t>(limits::kAutomaticStepsMax) + 1);
    EXPECT_EQ(run.history().back().attempt_number, limits::kAutomaticStepsMax / 2 + 1);
}

TEST(AdvanceLimits, CountsTheStepsOfTheTransactionSoFar) {
    const DefinitionPtr definition = flow(R"([{"id": "end", "type": "END"}])");
    Instance instance{.key = {{Id128::for_instance(kNoon, 1)}, kWorkspace}};
    WorkMeter meter;
    const auto effects =
        advance(*definition, instance, Started{}, kNoon, meter, limits::kAutomaticStepsMax);
    ASSERT_TRUE(effects);
    EXPECT_EQ(effects->instance.status, failed);
}

// B9: a step that is entered again counts its visits.
TEST(AdvanceVisits, CountAsAttempts) {
    InstanceDriver run(flow(R"([
        {"id": "a", "type": "SERVICE_TASK", "jobType": "t", "nextStep": "d"},
        {"id": "d", "type": "DECISION", "conditionalNextSteps": {"again": "a", "true": "end"}},
        {"id": "end", "type": "END"}])"));
    ASSERT_TRUE(run.start());
    ASSERT_TRUE(run.complete("a", R"({"again": true})"));
    ASSERT_TRUE(run.complete("a", R"({"again": false})"));
    EXPECT_EQ(run.told(), "a:COMPLETED d:COMPLETED a:COMPLETED d:COMPLETED end:COMPLETED");
    EXPECT_EQ(run.history()[2].attempt_number, 2);
}

}  // namespace
}  // namespace millrace
