#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "temporal_case.hpp"

namespace millrace {
namespace {

class TemporalStartTest : public TemporalCase {};

TEST_F(TemporalStartTest, ARunGetsItsInputUnchanged) {
    const ExecutionKey key = new_execution();
    const StartRun request = start_of(key, "Echo", R"({"b":[1,2.5,null],"a":"Grüße"})");
    const StartAnswer answer = start(*executor_, request);
    ASSERT_EQ(answer.outcome, StartOutcome::started) << answer.message;
    EXPECT_NE(answer.run_id, "");
    EXPECT_EQ(answer.code, "");

    const RunReport report = end_of(key, answer.run_id);
    EXPECT_EQ(report.state, RunState::completed);
    EXPECT_EQ(report.result, request.payload);
}

TEST_F(TemporalStartTest, StartedAgainWhileItRunsItIsTheSameRun) {
    const StartRun request = start_of(new_execution(), "Wait");
    const StartAnswer first = start(*executor_, request);
    const StartAnswer second = start(*executor_, request);
    EXPECT_EQ(second.outcome, StartOutcome::started) << second.message;
    EXPECT_EQ(second.run_id, first.run_id);
}

TEST_F(TemporalStartTest, StartedAgainAfterItsEndItIsTheSameRun) {
    const StartRun request = start_of(new_execution(), "Nothing");
    const StartAnswer first = start(*executor_, request);
    ASSERT_EQ(end_of(request.execution).state, RunState::completed);
    const StartAnswer second = start(*executor_, request);
    EXPECT_EQ(second.outcome, StartOutcome::started) << second.message;
    EXPECT_EQ(second.run_id, first.run_id);
}

TEST_F(TemporalStartTest, StartedAgainAfterItContinuedItIsStillOurs) {
    const StartRun request =
        start_of(new_execution(), "ContinueAsNew", R"({"times":2,"waits":true})");
    const StartAnswer first = start(*executor_, request);
    // It has come to its last run when the first one tells of another one that runs.
    RunReport report;
    do {
        report = state_of(request.execution, first.run_id);
    } while (report.run_id == first.run_id);
    const StartAnswer second = start(*executor_, request);
    EXPECT_EQ(second.outcome, StartOutcome::started) << second.message;
    EXPECT_NE(second.run_id, first.run_id);
    EXPECT_EQ(cancel(*executor_, request.execution, true).answer, true);
}

TEST_F(TemporalStartTest, SomebodyElsesRunUnderTheIdIsAConflict) {
    // Without a memo, and with one that names something else.
    for (const std::string& memo : {std::string{}, std::string{" --memo 'executionId=\"7\"'"}}) {
        const ExecutionKey key = new_execution();
        run_temporal("workflow start --type Wait --task-queue millrace-test --workflow-id " +
                     workflow_id(key) + memo);
        const StartAnswer answer = start(*executor_, start_of(key, "Wait"));
        EXPECT_EQ(answer.outcome, StartOutcome::conflict);
        EXPECT_EQ(answer.code, "ALREADY_EXISTS");
        EXPECT_EQ(answer.reason, "WORKFLOW_ID_CONFLICT");
        const RunReport report = state_of(key);
        EXPECT_TRUE(report.is_found);
        EXPECT_FALSE(report.is_ours);
    }
}

TEST_F(TemporalStartTest, AnUnknownNamespaceIsRefused) {
    // Some of them cannot be said in a header.
    for (const char* name : {"nowhere", "no\nwhere", "nögendwo", "\x01"}) {
        StartRun request = start_of(new_execution(), "Echo");
        request.spec.name_space = name;
        const StartAnswer answer = start(*executor_, request);
        EXPECT_EQ(answer.outcome, StartOutcome::refused);
        EXPECT_EQ(answer.code, "NOT_FOUND");
        EXPECT_EQ(answer.reason, "NAMESPACE_NOT_FOUND");
    }
}

TEST_F(TemporalStartTest, ARequestThatMakesNoSenseIsRefusedWithoutTellingItsInput) {
    const std::string secret = "4111-1111-1111-1111";
    const auto refused = [&](const ExecutorSpec& spec) {
        StartRun request = start_of(new_execution(), "", R"({"card":")" + secret + "\"}");
        request.spec = spec;
        const StartAnswer answer = start(*executor_, request);
        EXPECT_EQ(answer.outcome, StartOutcome::refused);
        EXPECT_EQ(answer.code, "INVALID_ARGUMENT");
        EXPECT_EQ(answer.reason, "INVALID_REQUEST");
        EXPECT_NE(answer.message, "");
        EXPECT_EQ(answer.message.find(secret), std::string::npos) << answer.message;
    };
    refused({.workflow_type = ""});
    refused({.workflow_type = "Echo", .run_timeout = -1s});
    refused({.workflow_type = "Echo", .retry = RunRetry{.backoff_coefficient = 0.5}});
    refused({.workflow_type = std::string(2'000, 'x')});
}

TEST_F(TemporalStartTest, AnInputThatIsTooLargeForTemporalIsRefused) {
    const StartAnswer answer =
        start(*executor_, start_of(new_execution(), "Echo", '"' + std::string(3 << 20, 'x') + '"'));
    EXPECT_EQ(answer.outcome, StartOutcome::refused);
    EXPECT_EQ(answer.reason, "INVALID_REQUEST");
    EXPECT_LT(answer.message.size(), 1'000u);
}

TEST_F(TemporalStartTest, ManyAtOnceAreAsManyRuns) {
    std::vector<StartRun> requests;
    for (int count = 0; count < 100; ++count) {
        requests.push_back(start_of(new_execution(), "Nothing"));
    }
    std::vector<Answer<StartAnswer>> answers;
    for (const StartRun& request : requests) {
        answers.emplace_back([&](auto done) { executor_->start(request, kPatience, done); });
    }
    for (Answer<StartAnswer>& answer : answers) {
        EXPECT_EQ(answer.get().outcome, StartOutcome::started);
    }
    for (const StartRun& request : requests) {
        EXPECT_EQ(end_of(request.execution).state, RunState::completed);
    }
}

}  // namespace
}  // namespace millrace
