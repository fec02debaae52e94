#include "executor/temporal/run_report.hpp"

#include <gtest/gtest.h>
#include <temporal/workflow_service.pb.h>

#include <string>

#include "core/limits.hpp"
#include "executor/temporal/closed_runs.hpp"
#include "executor/temporal/payloads.hpp"

namespace millrace {
namespace {

using namespace std::chrono_literals;

const ExecutionKey kKey{
    .id = {Id128::for_instance(Instant(1700000000s), 7)},
    .workspace_id = {"acme"},
};

void set_memo(wire::Fields& memo, const ExecutionKey& key) {
    set_json((*memo.mutable_fields())[kMemoExecutionId], '"' + to_string(key.id.value) + '"');
    set_json((*memo.mutable_fields())[kMemoWorkspaceId], '"' + key.workspace_id.value + '"');
}

RunEnd failed_with(const wire::Failure& failure) {
    wire::HistoryEvent event;
    *event.mutable_workflow_execution_failed_event_attributes()->mutable_failure() = failure;
    return run_end(event);
}

TEST(RunEndTest, ACompletedRunHasItsResult) {
    wire::HistoryEvent event;
    auto& completed = *event.mutable_workflow_execution_completed_event_attributes();
    set_json(*completed.mutable_result()->add_payloads(), R"({"ok":true})");
    EXPECT_EQ(run_end(event).state, RunState::completed);
    EXPECT_EQ(run_end(event).result, R"({"ok":true})");
    EXPECT_EQ(run_end(event).next_run_id, "");
}

TEST(RunEndTest, AFailedRunTellsWhyWithAllCauses) {
    wire::Failure failure;
    failure.set_message("activity error");
    failure.mutable_cause()->mutable_cause()->set_message("no such account");
    EXPECT_EQ(failed_with(failure).state, RunState::failed);
    EXPECT_EQ(failed_with(failure).message, "activity error: no such account");
}

TEST(RunEndTest, EndlessFailuresAreCut) {
    wire::Failure failure;
    wire::Failure* at = &failure;
    for (int depth = 0; depth < 50; ++depth) {
        at->set_message("x");
        at = at->mutable_cause();
    }
    EXPECT_LT(failed_with(failure).message.size(), 100u);

    wire::Failure longer;
    longer.set_message("a");
    for (int count = 0; count < 20'000; ++count) longer.mutable_message()->append("é");
    const std::string message = failed_with(longer).message;
    EXPECT_EQ(message.size(), limits::kMessageBytesMax - 1);  // No half of a character.
}

TEST(RunEndTest, TimedOutCancelledAndTerminatedAreToldApart) {
    wire::HistoryEvent event;
    event.mutable_workflow_execution_timed_out_event_attributes();
    EXPECT_EQ(run_end(event).state, RunState::timed_out);
    EXPECT_NE(run_end(event).message, "");
    event.mutable_workflow_execution_canceled_event_attributes();
    EXPECT_EQ(run_end(event).state, RunState::cancelled);
    event.mutable_workflow_execution_terminated_event_attributes()->set_reason("by hand");
    EXPECT_EQ(run_end(event).state, RunState::terminated);
    EXPECT_EQ(run_end(event).message, "by hand");
}

TEST(RunEndTest, WhateverNamesANewRunGoesOn) {
    wire::HistoryEvent event;
    event.mutable_workflow_execution_continued_as_new_event_attributes()->set_new_execution_run_id(
        "a");
    EXPECT_EQ(run_end(event).next_run_id, "a");
    event.mutable_workflow_execution_failed_event_attributes()->set_new_execution_run_id("b");
    EXPECT_EQ(run_end(event).next_run_id, "b");
    event.mutable_workflow_execution_completed_event_attributes()->set_new_execution_run_id("c");
    EXPECT_EQ(run_end(event).next_run_id, "c");
    event.mutable_workflow_execution_timed_out_event_attributes()->set_new_execution_run_id("d");
    EXPECT_EQ(run_end(event).next_run_id, "d");
}

TEST(RunEndTest, AnEventThatClosesNothingIsNoEnd) {
    EXPECT_EQ(run_end({}).state, RunState::running);
}

TEST(DescribedRunTest, OnlyStatesThatWeKnowAsClosedAreClosed) {
    for (int status = 0; status <= 9; ++status) {
        wire::DescribeWorkflowExecutionResponse response;
        response.mutable_workflow_execution_info()->set_status(
            static_cast<wire::WorkflowExecutionStatus>(status));
        EXPECT_EQ(described_run(response, kKey).is_closed, status >= 2 && status <= 7) << status;
    }
}

TEST(DescribedRunTest, TheMemoSaysWhoseItIs) {
    wire::DescribeWorkflowExecutionResponse response;
    auto& info = *response.mutable_workflow_execution_info();
    info.mutable_execution()->set_run_id("second");
    info.set_first_run_id("first");
    response.mutable_workflow_extended_info()->set_reset_run_id("third");
    EXPECT_FALSE(described_run(response, kKey).is_ours);
    set_memo(*info.mutable_memo(), kKey);
    const DescribedRun run = described_run(response, kKey);
    EXPECT_TRUE(run.is_ours);
    EXPECT_EQ(run.run_id, "second");
    EXPECT_EQ(run.first_run_id, "first");
    EXPECT_EQ(run.reset_run_id, "third");
}

TEST(ClosedRunsTest, OnlyRunsWhoseMemoFitsTheirIdAreOurs) {
    wire::ListWorkflowExecutionsResponse response;
    const auto add = [&](const std::string& workflow_id) -> wire::WorkflowExecutionInfo& {
        auto& info = *response.add_executions();
        info.mutable_execution()->set_workflow_id(workflow_id);
        return info;
    };
    set_memo(*add(workflow_id(kKey)).mutable_memo(), kKey);
    set_memo(*add("execution-of-somebody").mutable_memo(), kKey);
    add("execution-7");
    response.set_next_page_token("more");
    const ClosedRuns runs = closed_runs(response);
    EXPECT_EQ(runs.workflow_ids, std::vector<std::string>{workflow_id(kKey)});
    EXPECT_EQ(runs.next_page, "more");
}

TEST(ClosedRunsTest, TheQueryNamesTheTime) {
    EXPECT_EQ(closed_runs_query(Instant(1700000000s) + 250us),
              "WorkflowId STARTS_WITH \"execution-\" AND CloseTime >= "
              "\"2023-11-14T22:13:20.00025Z\" AND ExecutionStatus != \"Running\" "
              "AND ExecutionStatus != \"ContinuedAsNew\"");
}

}  // namespace
}  // namespace millrace
