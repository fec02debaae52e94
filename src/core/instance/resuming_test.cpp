#include <gtest/gtest.h>

#include "base/json/write.hpp"
#include "support/instance_driver.hpp"

namespace millrace {
namespace {

constexpr const char* kTwoBranches = R"([
    {"id": "fork", "type": "PARALLEL_GATEWAY", "parallelNextSteps": ["a", "b", "c"],
     "joinStep": "join"},
    {"id": "a", "type": "SERVICE_TASK", "jobType": "t", "retryCount": 2, "nextStep": "join"},
    {"id": "b", "type": "SERVICE_TASK", "jobType": "t", "nextStep": "join"},
    {"id": "c", "type": "USER_TASK", "nextStep": "join"},
    {"id": "join", "type": "JOIN_GATEWAY", "nextStep": "end"},
    {"id": "end", "type": "END"}])";

TEST(Retry, EntersTheFailedStepAndItsSiblingsAgain) {
    InstanceDriver run(flow(kTwoBranches));
    ASSERT_TRUE(run.start());
    ASSERT_TRUE(run.complete("b"));
    ASSERT_TRUE(run.fail("a", "no money"));
    EXPECT_EQ(run.told(), "fork:COMPLETED a:FAILED b:COMPLETED c:SKIPPED join:SKIPPED");

    ASSERT_TRUE(run.handle(RetryRequested{}));
    EXPECT_EQ(run.instance().status, InstanceStatus::waiting);
    EXPECT_EQ(run.instance().failure_reason, std::nullopt);
    EXPECT_EQ(run.current(), "join a c");
    EXPECT_EQ(run.jobs().at(run.job_at("a")).retries_remaining, 2);
    ASSERT_TRUE(run.complete("a"));
    ASSERT_TRUE(run.complete_task("c"));
    EXPECT_EQ(run.instance().status, InstanceStatus::completed);
    EXPECT_EQ(run.told(),
              "fork:COMPLETED a:FAILED b:COMPLETED c:SKIPPED join:SKIPPED join:COMPLETED "
              "a:COMPLETED c:COMPLETED end:COMPLETED");
}

TEST(Retry, CountsTheNewAttempt) {
    InstanceDriver run(flow(R"([
        {"id": "a", "type": "SERVICE_TASK", "jobType": "t", "nextStep": "end"},
        {"id": "end", "type": "END"}])"));
    ASSERT_TRUE(run.start());
    for (int i = 0; i < 2; ++i) {
        ASSERT_TRUE(run.fail("a", "no"));
        ASSERT_TRUE(run.handle(RetryRequested{}));
    }
    ASSERT_TRUE(run.complete("a"));
    std::vector<std::int32_t> attempts;
    for (const StepExecution& line : run.history()) attempts.push_back(line.attempt_number);
    EXPECT_EQ(attempts, (std::vector<std::int32_t>{1, 2, 3, 1}));
}

TEST(Retry, GoesOnWithVariablesThatWereMended) {
    InstanceDriver run(flow(R"([
        {"id": "choose", "type": "DECISION", "conditionalNextSteps": {"#n > 1": "end"}},
        {"id": "end", "type": "END"}])"),
                       R"({"n": 1})");
    ASSERT_TRUE(run.start());
    EXPECT_EQ(run.instance().status, InstanceStatus::failed);
    ASSERT_TRUE(run.handle(VariablesChanged{.changes = json_of(R"({"n": 2})")}));
    EXPECT_EQ(run.instance().status, InstanceStatus::failed);
    ASSERT_TRUE(run.handle(RetryRequested{}));
    EXPECT_EQ(run.instance().status, InstanceStatus::completed);
}

// What was done and acknowledged is not asked for again: only the way on is chosen once more.
TEST(Retry, DoesNotRepeatAStepWhoseWayOnCouldNotBeChosen) {
    InstanceDriver run(flow(R"([
        {"id": "a", "type": "SERVICE_TASK", "jobType": "t",
         "conditionalNextSteps": {"#amount / #zero > 1": "b", "true": "b"}},
        {"id": "b", "type": "USER_TASK", "conditionalNextSteps": {"#way == 'c'": "c"}},
        {"id": "c", "type": "WAIT", "nextStep": "d", "conditionalNextSteps": {"#way == 'd'": "d"}},
        {"id": "d", "type": "TRANSFORMATION", "transformations": {"n": "${n + 1}"},
         "nextStep": "end", "conditionalNextSteps": {"#way == 'end'": "end"}},
        {"id": "end", "type": "END"}])"),
                       R"({"amount": 1, "zero": 0, "n": 0})");
    ASSERT_TRUE(run.start());
    struct Case {
        const char* step;
        const char* mended;
        const char* next;
    };
    const auto finish = [&run](std::string_view step) {
        if (step == "a") return run.complete("a", R"({"charged": true})");
        if (step == "b") return run.complete_task("b");
        return run.signal("c");
    };
    for (const Case& each : {Case{"a", R"({"zero": 1})", "b"}, Case{"b", R"({"way": "c"})", "c"},
                             Case{"c", R"({"way": "d"})", "d"}}) {
        SCOPED_TRACE(each.step);
        ASSERT_TRUE(finish(each.step));
        EXPECT_EQ(run.instance().status, InstanceStatus::failed);
        EXPECT_EQ(run.current(), each.step);
        EXPECT_EQ(run.history().back().step_id, each.step);
        EXPECT_EQ(run.history().back().status, StepExecutionStatus::completed);
        // The cause is still there: nothing is told twice.
        const std::size_t lines = run.history().size();
        ASSERT_TRUE(run.handle(RetryRequested{}));
        EXPECT_EQ(run.instance().status, InstanceStatus::failed);
        EXPECT_EQ(run.current(), each.step);
        EXPECT_EQ(run.history().size(), lines);

        ASSERT_TRUE(run.handle(VariablesChanged{.changes = json_of(each.mended)}));
        ASSERT_TRUE(run.handle(RetryRequested{}));
        EXPECT_EQ(run.current(), each.next);
        EXPECT_TRUE(run.jobs().empty());
    }
    // The transformation has run, and its way on failed, too.
    EXPECT_EQ(run.instance().status, InstanceStatus::failed);
    ASSERT_TRUE(run.handle(VariablesChanged{.changes = json_of(R"({"way": "end"})")}));
    ASSERT_TRUE(run.handle(RetryRequested{}));
    EXPECT_EQ(run.instance().status, InstanceStatus::completed);
    EXPECT_EQ(run.told(), "a:COMPLETED b:COMPLETED c:COMPLETED d:COMPLETED end:COMPLETED");
    EXPECT_EQ(*run.instance().variables.value(),
              json_of(R"({"amount": 1, "zero": 1, "n": 1, "charged": true, "way": "end"})"));
}

TEST(Retry, LetsAJoinWaitForAllWhenOneOfThemOnlyHadToGoOn) {
    InstanceDriver run(flow(R"([
        {"id": "fork", "type": "PARALLEL_GATEWAY", "parallelNextSteps": ["a", "b"],
         "joinStep": "join"},
        {"id": "a", "type": "SERVICE_TASK", "jobType": "t", "nextStep": "join"},
        {"id": "b", "type": "SERVICE_TASK", "jobType": "t",
         "conditionalNextSteps": {"#go": "join"}},
        {"id": "join", "type": "JOIN_GATEWAY", "nextStep": "end"},
        {"id": "end", "type": "END"}])"),
                       R"({"go": false})");
    ASSERT_TRUE(run.start());
    ASSERT_TRUE(run.complete("b"));
    EXPECT_EQ(run.told(), "fork:COMPLETED a:SKIPPED b:COMPLETED");
    ASSERT_TRUE(run.handle(VariablesChanged{.changes = json_of(R"({"go": true})")}));
    ASSERT_TRUE(run.handle(RetryRequested{}));
    EXPECT_EQ(run.instance().status, InstanceStatus::active);
    EXPECT_EQ(run.jobs().size(), 1u);
    ASSERT_TRUE(run.complete("a"));
    EXPECT_EQ(run.instance().status, InstanceStatus::completed);
}

TEST(Retry, KeepsTheIdempotencyKeysOfItsJobs) {
    InstanceDriver run(flow(R"([
        {"id": "fork", "type": "PARALLEL_GATEWAY", "parallelNextSteps": ["a", "b"],
         "joinStep": "join"},
        {"id": "a", "type": "SERVICE_TASK", "jobType": "t", "nextStep": "again"},
        {"id": "again", "type": "DECISION", "conditionalNextSteps": {"#more": "a", "true": "join"}},
        {"id": "b", "type": "SERVICE_TASK", "jobType": "t", "nextStep": "join"},
        {"id": "join", "type": "JOIN_GATEWAY", "nextStep": "end"},
        {"id": "end", "type": "END"}])"),
                       R"({"more": true})");
    ASSERT_TRUE(run.start());
    const auto key_at = [&run](const char* step) {
        return idempotency_key_of(run.jobs().at(run.job_at(step)));
    };
    const Id128 first = key_at("a");
    const Id128 beside = key_at("b");
    EXPECT_NE(first, beside);
    for (int i = 0; i < 3; ++i) {
        const JobKey failed = run.job_at("a");
        ASSERT_TRUE(run.fail("a", "no"));
        ASSERT_TRUE(run.handle(RetryRequested{}));
        EXPECT_NE(run.job_at("a"), failed);
        EXPECT_EQ(key_at("a"), first);
        EXPECT_EQ(key_at("b"), beside);
    }
    // A step that the process enters once more is other work.
    ASSERT_TRUE(run.complete("a", R"({"more": true})"));
    EXPECT_NE(key_at("a"), first);
    EXPECT_EQ(key_at("a"), run.job_at("a").id.value);
}

TEST(Retry, TakesUpTokensThatHadNotArrived) {
    InstanceDriver run(flow(R"([
        {"id": "fork", "type": "PARALLEL_GATEWAY", "parallelNextSteps": ["bad", "late"],
         "joinStep": "join"},
        {"id": "bad", "type": "TRANSFORMATION", "transformations": {"x": "${1 / #n}"},
         "nextStep": "join"},
        {"id": "late", "type": "SERVICE_TASK", "jobType": "t", "nextStep": "join"},
        {"id": "join", "type": "JOIN_GATEWAY", "nextStep": "end"},
        {"id": "end", "type": "END"}])"),
                       R"({"n": 0})");
    ASSERT_TRUE(run.start());
    EXPECT_EQ(run.told(), "fork:COMPLETED bad:FAILED");
    ASSERT_TRUE(run.handle(VariablesChanged{.changes = json_of(R"({"n": 2})")}));
    ASSERT_TRUE(run.handle(RetryRequested{}));
    EXPECT_EQ(run.current(), "join late");
    ASSERT_TRUE(run.complete("late"));
    EXPECT_EQ(run.instance().status, InstanceStatus::completed);
}

TEST(Retry, IsOnlyForFailedInstances) {
    InstanceDriver run(flow(kTwoBranches));
    ASSERT_TRUE(run.start());
    EXPECT_EQ(run.handle(RetryRequested{}).error().code, ErrorCode::conflict);
    ASSERT_TRUE(run.handle(CancelRequested{}));
    EXPECT_EQ(run.handle(RetryRequested{}).error().code, ErrorCode::conflict);
}

TEST(Retry, FindsNoJobToGiveItsVariablesWhileItHasFailed) {
    InstanceDriver run(flow(kTwoBranches));
    ASSERT_TRUE(run.start());
    ASSERT_TRUE(run.fail("a", "no"));
    // The driver fails when a row that does not exist gets a snapshot.
    ASSERT_TRUE(run.handle(VariablesChanged{.changes = json_of(R"({"n": 2})")}));
    ASSERT_TRUE(run.handle(RetryRequested{}));
    EXPECT_EQ(run.jobs().at(run.job_at("a")).variables, std::nullopt);
    ASSERT_TRUE(run.handle(VariablesChanged{.changes = json_of(R"({"n": 3})")}));
    EXPECT_EQ(run.jobs().at(run.job_at("a")).variables->text(), R"({"n":2})");
}

// A timer that was found due, or a job that was held, when its instance ended.
TEST(AfterTheEnd, NothingClosesAStepASecondTime) {
    constexpr const char* kWithTimers = R"([
        {"id": "fork", "type": "PARALLEL_GATEWAY", "parallelNextSteps": ["a", "b", "c"],
         "joinStep": "join"},
        {"id": "a", "type": "SERVICE_TASK", "jobType": "t", "nextStep": "join"},
        {"id": "b", "type": "USER_TASK", "nextStep": "join", "boundaryEvents": [
            {"type": "TIMER", "duration": "PT1M", "interrupting": true, "targetStepId": "join"}]},
        {"id": "c", "type": "WAIT", "nextStep": "join", "boundaryEvents": [
            {"type": "TIMER", "duration": "PT1M", "interrupting": false, "targetStepId": "join"}]},
        {"id": "join", "type": "JOIN_GATEWAY", "nextStep": "end"},
        {"id": "end", "type": "END"}])";
    for (const bool is_cancelled : {true, false}) {
        InstanceDriver run(flow(kWithTimers));
        ASSERT_TRUE(run.start());
        const JobKey job = run.job_at("a");
        const auto timers = run.timers();
        ASSERT_EQ(timers.size(), 2u);
        ASSERT_TRUE(is_cancelled ? run.handle(CancelRequested{}) : run.fail("a", "no"));
        const std::string told = run.told();
        run.pass(std::chrono::hours{1});
        for (const auto& [key, timer] : timers) {
            EXPECT_EQ(run.handle(TimerFired{key.id}).error().code, ErrorCode::not_found);
        }
        EXPECT_EQ(run.handle(JobCompleted{.job = job.id}).error().code, ErrorCode::conflict);
        EXPECT_EQ(run.handle(JobFailed{.job = job.id}).error().code, ErrorCode::conflict);
        EXPECT_EQ(run.handle(JobTried{.job = job.id}).error().code, ErrorCode::conflict);
        EXPECT_EQ(run.told(), told);
    }
}

TEST(Suspension, StopsEverythingNewAndGoesOnWhereItStood) {
    InstanceDriver run(flow(kTwoBranches));
    ASSERT_TRUE(run.start());
    ASSERT_TRUE(run.handle(SuspendRequested{}));
    EXPECT_TRUE(run.instance().state.is_suspended);
    EXPECT_EQ(run.complete_task("c").error().code, ErrorCode::conflict);
    ASSERT_TRUE(run.complete("a", R"({"done": 1})"));
    ASSERT_TRUE(run.complete("b"));
    EXPECT_EQ(run.current(), "c join");
    EXPECT_EQ(run.variables(), R"({"done":1})");

    ASSERT_TRUE(run.handle(ResumeRequested{}));
    EXPECT_EQ(run.current(), "c join");
    ASSERT_TRUE(run.complete_task("c"));
    EXPECT_EQ(run.instance().status, InstanceStatus::completed);
}

TEST(Suspension, KeepsTheNextStepForLater) {
    InstanceDriver run(flow(R"([
        {"id": "a", "type": "SERVICE_TASK", "jobType": "t", "nextStep": "b"},
        {"id": "b", "type": "SERVICE_TASK", "jobType": "t", "nextStep": "end"},
        {"id": "end", "type": "END"}])"));
    ASSERT_TRUE(run.start());
    ASSERT_TRUE(run.handle(SuspendRequested{}));
    ASSERT_TRUE(run.complete("a"));
    EXPECT_TRUE(run.jobs().empty());
    EXPECT_EQ(run.current(), "b");
    EXPECT_EQ(run.instance().status, InstanceStatus::active);
    ASSERT_TRUE(run.handle(ResumeRequested{}));
    ASSERT_TRUE(run.complete("b"));
    EXPECT_EQ(run.told(), "a:COMPLETED b:COMPLETED end:COMPLETED");
}

TEST(Suspension, EndsAtTheEndOnlyWhenResumed) {
    for (const char* last : {R"("nextStep": "end")", R"("retryCount": 0)"}) {
        InstanceDriver run(flow(R"([
            {"id": "go", "type": "DECISION", "conditionalNextSteps": {"true": "a", "false": "end"}},
            {"id": "a", "type": "SERVICE_TASK", "jobType": "t", )" +
                                std::string(last) + R"(}, {"id": "end", "type": "END"}])"));
        ASSERT_TRUE(run.start());
        ASSERT_TRUE(run.handle(SuspendRequested{}));
        ASSERT_TRUE(run.complete("a"));
        EXPECT_EQ(run.instance().status, InstanceStatus::active);
        ASSERT_TRUE(run.handle(ResumeRequested{}));
        EXPECT_EQ(run.instance().status, InstanceStatus::completed);
    }
}

TEST(Suspension, TakesTimersAwayAndBringsThemBack) {
    InstanceDriver run(flow(R"([
        {"id": "w", "type": "WAIT", "nextStep": "end", "boundaryEvents": [
            {"type": "TIMER", "duration": "PT1M", "interrupting": true, "targetStepId": "late"}]},
        {"id": "late", "type": "USER_TASK", "nextStep": "end"},
        {"id": "end", "type": "END"}])"));
    ASSERT_TRUE(run.start());
    const Timer timer = run.timers().begin()->second;
    ASSERT_TRUE(run.handle(SuspendRequested{}));
    EXPECT_EQ(run.handle(TimerFired{timer.key.id}).error().code, ErrorCode::not_found);
    run.pass(std::chrono::hours{1});
    EXPECT_EQ(run.signal("w").error().code, ErrorCode::conflict);
    ASSERT_TRUE(run.handle(ResumeRequested{}));
    ASSERT_EQ(run.timers().size(), 1u);
    EXPECT_EQ(run.timers().begin()->second.fire_at, timer.fire_at);
    EXPECT_EQ(run.handle(TimerFired{timer.key.id}).error().code, ErrorCode::not_found);
    ASSERT_TRUE(run.fire());
    EXPECT_EQ(run.current(), "late");
}

TEST(Suspension, EndsWithFailureAndCancellation) {
    for (const bool is_cancelled : {true, false}) {
        InstanceDriver run(flow(kTwoBranches));
        ASSERT_TRUE(run.start());
        ASSERT_TRUE(run.handle(SuspendRequested{}));
        ASSERT_TRUE(run.handle(SuspendRequested{}));
        ASSERT_TRUE(is_cancelled ? run.handle(CancelRequested{}) : run.fail("a", "no"));
        EXPECT_FALSE(run.instance().state.is_suspended);
        EXPECT_EQ(run.handle(SuspendRequested{}).error().code, ErrorCode::conflict);
        EXPECT_EQ(run.handle(ResumeRequested{}).error().code, ErrorCode::conflict);
    }
}

TEST(VariablesChange, ReplacesRemovesAndCounts) {
    InstanceDriver run(flow(kTwoBranches), R"({"a": 1, "b": {"c": 2}})");
    ASSERT_TRUE(run.start());
    ASSERT_TRUE(run.handle(VariablesChanged{
        .changes = json_of(R"({"b": null, "d": 4})"), .removed = {"a"}, .expected_version = 0}));
    EXPECT_EQ(run.variables(), R"({"b":null,"d":4})");
    EXPECT_EQ(run.instance().state.variables_version, 1);
    EXPECT_EQ(run.jobs().at(run.job_at("a")).variables->text(), R"({"a":1,"b":{"c":2}})");

    const Status late =
        run.handle(VariablesChanged{.changes = json_of(R"({"d": 5})"), .expected_version = 0});
    EXPECT_EQ(late.error().code, ErrorCode::conflict);
    ASSERT_TRUE(run.handle(VariablesChanged{.changes = json_of(R"({"d": 4})")}));
    EXPECT_EQ(run.instance().state.variables_version, 1);
    ASSERT_TRUE(run.handle(CancelRequested{}));
    EXPECT_EQ(run.handle(VariablesChanged{.removed = {"d"}}).error().code, ErrorCode::conflict);
}

TEST(UserTasks, AreCompletedBySequenceAtTheirOwnStepOnly) {
    InstanceDriver run(flow(kTwoBranches));
    ASSERT_TRUE(run.start());
    for (const OpenStep& step : std::vector<OpenStep>(run.instance().state.open_steps)) {
        const Status done =
            run.handle(UserTaskCompleted{.step_id = "c", .sequence = step.sequence});
        if (step.step_id == "c") {
            EXPECT_TRUE(done);
        } else {
            EXPECT_EQ(done.error().code, ErrorCode::not_found) << step.step_id;
        }
    }
    EXPECT_EQ(run.current(), "a b join");
}

TEST(UserTasks, KnowTheirPeopleAndStayWhenTheyAreOver) {
    InstanceDriver run(flow(R"([
        {"id": "t", "type": "USER_TASK", "assignee": "ada", "candidateGroups": ["clerks", "all"],
         "form": {"fields": [1]}, "nextStep": "end"},
        {"id": "end", "type": "END"}])"));
    ASSERT_TRUE(run.start());
    const UserTask& task = run.user_tasks().begin()->second;
    EXPECT_EQ(task.assignee, "ada");
    EXPECT_EQ(task.candidate_groups, (std::vector<std::string>{"clerks", "all"}));
    EXPECT_EQ(task.name, "t");
    EXPECT_EQ(task.definition_id, "flow");
    ASSERT_TRUE(run.complete_task("t"));
    EXPECT_EQ(run.history().front().completed_by, "ann");
}

// Quadratic in the names, this would take half a minute, and all other instances would wait.
TEST(VariablesChange, TakesManyNamesAtOnce) {
    constexpr int kCount = 100'000;
    json::Object old;
    json::Object changes;
    std::vector<std::string> removed;
    for (int i = 0; i < kCount; ++i) {
        old.push_back({"a" + std::to_string(i), i});
        changes.push_back({"b" + std::to_string(i), i});
        removed.push_back("a" + std::to_string(i + 1));
    }
    changes.push_back({"a0", "new"});
    InstanceDriver run(flow(R"([{"id": "w", "type": "WAIT", "nextStep": "end"},
                                {"id": "end", "type": "END"}])"),
                       json::write(old));
    ASSERT_TRUE(run.start());
    ASSERT_TRUE(run.handle(VariablesChanged{.changes = changes, .removed = removed}));
    const json::Value variables = *run.instance().variables.value();
    EXPECT_EQ(variables.if_object()->size(), kCount + 1u);
    EXPECT_EQ(variables.if_object()->front().key, "a0");
    EXPECT_EQ(*variables.find("a0")->if_string(), "new");
    EXPECT_EQ(variables.if_object()->back().key, "b" + std::to_string(kCount - 1));
}

}  // namespace
}  // namespace millrace
