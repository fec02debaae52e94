#include <gtest/gtest.h>
#include <temporal/workflow_service.pb.h>

#include <map>
#include <string>

#include "executor/temporal/payloads.hpp"
#include "support/fake_temporal.hpp"
#include "temporal_case.hpp"

namespace millrace {
namespace {

// Runs that a script tells of: what a real server shows only now and then, or never.
class TemporalFollowTest : public testing::Test {
protected:
    struct Run {
        wire::WorkflowExecutionStatus status = wire::WORKFLOW_EXECUTION_STATUS_RUNNING;
        std::string first{};
        bool has_memo = true;
        wire::HistoryEvent end{};
    };

    TemporalFollowTest() {
        fake_.on_describe = [this](const auto& request, auto& response) {
            return described(request, response);
        };
        fake_.on_history = [this](const auto& request, auto& response) {
            return history(request, response);
        };
    }

    FakeStatus described(const wire::DescribeWorkflowExecutionRequest& request,
                         wire::DescribeWorkflowExecutionResponse& response) {
        const auto found = runs_.find(request.execution().run_id());
        if (found == runs_.end()) return {5, "no such run"};
        const Run& run = found->second;
        auto& info = *response.mutable_workflow_execution_info();
        info.mutable_execution()->set_run_id(found->first);
        info.set_status(run.status);
        info.set_first_run_id(run.first);
        if (run.has_memo) {
            auto& memo = *info.mutable_memo()->mutable_fields();
            set_json(memo[kMemoExecutionId], '"' + to_string(key_.id.value) + '"');
            set_json(memo[kMemoWorkspaceId], '"' + key_.workspace_id.value + '"');
        }
        return {};
    }

    FakeStatus history(const wire::GetWorkflowExecutionHistoryRequest& request,
                       wire::GetWorkflowExecutionHistoryResponse& response) {
        if (polls_before_end_ > 0) {
            --polls_before_end_;
            response.set_next_page_token("more");
            tokens_ +=
                request.next_page_token().empty() ? "first " : request.next_page_token() + " ";
            return {};
        }
        *response.mutable_history()->add_events() = runs_.at(request.execution().run_id()).end;
        return {};
    }

    static Run continued(const std::string& next) {
        Run run{.status = wire::WORKFLOW_EXECUTION_STATUS_CONTINUED_AS_NEW};
        run.end.mutable_workflow_execution_continued_as_new_event_attributes()
            ->set_new_execution_run_id(next);
        return run;
    }

    static Run completed() {
        Run run{.status = wire::WORKFLOW_EXECUTION_STATUS_COMPLETED};
        run.end.mutable_workflow_execution_completed_event_attributes();
        return run;
    }

    std::map<std::string, Run> runs_{};
    int polls_before_end_ = 0;
    std::string tokens_{};
    const ExecutionKey key_ = new_execution();
    FakeTemporal fake_{};
    const std::unique_ptr<RemoteExecutor> executor_ =
        opened({.address = "127.0.0.1:" + std::to_string(fake_.port())});
};

TEST_F(TemporalFollowTest, ALongPollGoesOnWhereTheServerLeftOff) {
    runs_["a"] = completed();
    runs_["a"].status = wire::WORKFLOW_EXECUTION_STATUS_RUNNING;
    polls_before_end_ = 3;
    const CallResult<RunReport> result = await_end(*executor_, key_, "a");
    ASSERT_TRUE(result.answer) << result.failure.message;
    EXPECT_EQ(result.answer->state, RunState::completed);
    EXPECT_EQ(tokens_, "first more more ");
}

TEST_F(TemporalFollowTest, WhatFollowsARunOfOursIsOursWithoutAMemo) {
    runs_["a"] = continued("b");
    runs_["b"] = completed();
    runs_["b"].has_memo = false;
    EXPECT_TRUE(describe(*executor_, key_, "a").answer.value_or(RunReport{}).is_ours);
    EXPECT_FALSE(describe(*executor_, key_, "b").answer.value_or(RunReport{}).is_ours);
}

TEST_F(TemporalFollowTest, TheMemoOfTheFirstRunCountsForAllThatFollow) {
    runs_["first"] = continued("b");
    runs_["b"] = completed();
    runs_["b"].has_memo = false;
    runs_["b"].first = "first";
    EXPECT_TRUE(describe(*executor_, key_, "b").answer.value_or(RunReport{}).is_ours);
    runs_["first"].has_memo = false;
    EXPECT_FALSE(describe(*executor_, key_, "b").answer.value_or(RunReport{}).is_ours);
    runs_.erase("first");
    EXPECT_FALSE(describe(*executor_, key_, "b").answer.value_or(RunReport{}).is_ours);
}

TEST_F(TemporalFollowTest, AnEndlessChainIsLeftForTheNextCall) {
    for (int number = 0; number < 1'200; ++number) {
        runs_[std::to_string(number)] = continued(std::to_string(number + 1));
    }
    runs_["1200"] = completed();
    const CallResult<RunReport> first = describe(*executor_, key_, "0");
    ASSERT_TRUE(first.answer) << first.failure.message;
    EXPECT_EQ(first.answer->state, RunState::running);
    const CallResult<RunReport> second = describe(*executor_, key_, first.answer->run_id);
    EXPECT_EQ(second.answer.value_or(RunReport{}).state, RunState::completed);
}

TEST_F(TemporalFollowTest, ARunThatIsForgottenMeanwhileIsNotThere) {
    runs_["a"] = continued("b");
    EXPECT_FALSE(
        describe(*executor_, key_, "a").answer.value_or(RunReport{.is_found = true}).is_found);
}

TEST_F(TemporalFollowTest, AHistoryWithoutAnEndIsAFailure) {
    runs_["a"] = Run{.status = wire::WORKFLOW_EXECUTION_STATUS_FAILED};
    const CallResult<RunReport> result = describe(*executor_, key_, "a");
    EXPECT_FALSE(result.answer);
    EXPECT_EQ(result.failure.code, "INTERNAL");
    EXPECT_FALSE(result.failure.is_unreachable);
}

TEST_F(TemporalFollowTest, AStateThatWeDoNotKnowIsRunning) {
    runs_["a"] = Run{.status = static_cast<wire::WorkflowExecutionStatus>(8)};
    EXPECT_EQ(describe(*executor_, key_, "a").answer.value_or(RunReport{}).state,
              RunState::running);
}

}  // namespace
}  // namespace millrace
