#include "executor/temporal/start_request.hpp"

#include <gtest/gtest.h>
#include <temporal/workflow_service.pb.h>

#include <chrono>

namespace millrace {
namespace {

using namespace std::chrono_literals;

const TemporalOptions kOptions{
    .address = "localhost:7233",
    .name_space = "shop",
    .task_queue = "orders",
    .identity = "millrace@here",
};

StartRun start_of(const ExecutorSpec& spec) {
    return {
        .execution = {.id = {Id128::for_instance(Instant(1700000000s), 7)},
                      .workspace_id = {"acme"}},
        .definition = {.row_id = 4, .id = "ship\"it", .version = 3},
        .spec = spec,
        .payload = R"({"executionId":"…","input":{"b":1,"a":2}})",
        .trace_parent = {},
    };
}

wire::StartWorkflowExecutionRequest request_for(const StartRun& start) {
    wire::StartWorkflowExecutionRequest request;
    fill_start_request(start, kOptions, request);
    return request;
}

std::string json_of(const wire::Payload& payload) {
    EXPECT_EQ(payload.metadata().at("encoding"), "json/plain");
    return payload.data();
}

TEST(StartRequestTest, AnExecutionIsAlwaysTheSameRequest) {
    const StartRun start = start_of({.workflow_type = "Ship"});
    const std::string id = to_string(start.execution.id.value);
    const auto request = request_for(start);
    EXPECT_EQ(request.workflow_id(), "execution-" + id);
    EXPECT_EQ(request.request_id(), id);
    EXPECT_EQ(request.workflow_id_reuse_policy(), wire::WORKFLOW_ID_REUSE_POLICY_REJECT_DUPLICATE);
    EXPECT_EQ(request.workflow_id_conflict_policy(), wire::WORKFLOW_ID_CONFLICT_POLICY_FAIL);
    EXPECT_EQ(request.identity(), "millrace@here");
    EXPECT_EQ(request.workflow_type().name(), "Ship");
}

TEST(StartRequestTest, TheInputIsOnePayloadUnchanged) {
    const StartRun start = start_of({});
    const auto request = request_for(start);
    ASSERT_EQ(request.input().payloads_size(), 1);
    EXPECT_EQ(json_of(request.input().payloads(0)), start.payload);
}

TEST(StartRequestTest, TheMemoRepeatsTheIds) {
    const StartRun start = start_of({});
    const auto request = request_for(start);
    const auto& memo = request.memo().fields();
    EXPECT_EQ(memo.size(), 4u);
    EXPECT_EQ(json_of(memo.at("executionId")), '"' + to_string(start.execution.id.value) + '"');
    EXPECT_EQ(json_of(memo.at("workspaceId")), R"("acme")");
    EXPECT_EQ(json_of(memo.at("definitionId")), R"("ship\"it")");
    EXPECT_EQ(json_of(memo.at("definitionVersion")), "3");
}

TEST(StartRequestTest, TheTraceIsInTheHeaderForOursAndForTemporalsInterceptors) {
    StartRun start = start_of({});
    EXPECT_FALSE(request_for(start).has_header());
    start.trace_parent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
    const auto request = request_for(start);
    const auto& header = request.header().fields();
    EXPECT_EQ(json_of(header.at("traceparent")), '"' + start.trace_parent + '"');
    EXPECT_EQ(json_of(header.at("_tracer-data")),
              R"({"traceparent":")" + start.trace_parent + "\"}");
}

TEST(StartRequestTest, NamesOfTheDefinitionGoBeforeThoseOfTheTarget) {
    const auto by_default = request_for(start_of({}));
    EXPECT_EQ(by_default.namespace_(), "shop");
    EXPECT_EQ(by_default.task_queue().name(), "orders");
    EXPECT_EQ(by_default.task_queue().kind(), wire::TASK_QUEUE_KIND_NORMAL);
    const auto named = request_for(start_of({.name_space = "other", .task_queue = "mine"}));
    EXPECT_EQ(named.namespace_(), "other");
    EXPECT_EQ(named.task_queue().name(), "mine");
}

TEST(StartRequestTest, TimeOutsAndRetriesAreThoseOfTheDefinition) {
    const auto none = request_for(start_of({}));
    EXPECT_FALSE(none.has_workflow_execution_timeout());
    EXPECT_FALSE(none.has_workflow_run_timeout());
    EXPECT_FALSE(none.has_workflow_task_timeout());
    EXPECT_FALSE(none.has_retry_policy());

    const auto request = request_for(start_of({
        .execution_timeout = 2h,
        .run_timeout = 1500ms,
        .task_timeout = 10s,
        .retry = RunRetry{.initial_interval = 1s,
                          .backoff_coefficient = 1.5,
                          .maximum_interval = 30s,
                          .maximum_attempts = 4,
                          .non_retryable_error_types = {"Fatal", "Bad"}},
    }));
    EXPECT_EQ(request.workflow_execution_timeout().seconds(), 7200);
    EXPECT_EQ(request.workflow_run_timeout().seconds(), 1);
    EXPECT_EQ(request.workflow_run_timeout().nanos(), 500'000'000);
    EXPECT_EQ(request.workflow_task_timeout().seconds(), 10);
    const wire::RetryPolicy& retry = request.retry_policy();
    EXPECT_EQ(retry.initial_interval().seconds(), 1);
    EXPECT_EQ(retry.backoff_coefficient(), 1.5);
    EXPECT_EQ(retry.maximum_interval().seconds(), 30);
    EXPECT_EQ(retry.maximum_attempts(), 4);
    EXPECT_EQ(retry.non_retryable_error_types_size(), 2);
}

TEST(StartRequestTest, WhatARetryPolicyLeavesOutIsLeftToTheCluster) {
    const auto request = request_for(start_of({.retry = RunRetry{}}));
    EXPECT_TRUE(request.has_retry_policy());
    EXPECT_FALSE(request.retry_policy().has_initial_interval());
    EXPECT_FALSE(request.retry_policy().has_maximum_interval());
    EXPECT_EQ(request.retry_policy().backoff_coefficient(), 0);
}

}  // namespace
}  // namespace millrace
