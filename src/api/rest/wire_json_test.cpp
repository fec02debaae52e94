#include "api/rest/wire_json.hpp"

#include <gtest/gtest.h>

namespace millrace::rest {
namespace {

using namespace std::chrono_literals;

constexpr Instant kStart{1'794'725'759s};  // 2026-11-15T06:55:59Z

std::string time_text(Instant at) {
    std::string out;
    append_time(out, at);
    return out;
}

TEST(WireJsonTest, WritesTimesWithoutTrailingZeros) {
    EXPECT_EQ(time_text(kStart), R"("2026-11-15T06:55:59Z")");
    EXPECT_EQ(time_text(kStart + 545'620us), R"("2026-11-15T06:55:59.54562Z")");
    EXPECT_EQ(time_text(kStart + 1us), R"("2026-11-15T06:55:59.000001Z")");
    EXPECT_EQ(time_text(kStart + 500ms), R"("2026-11-15T06:55:59.5Z")");
    EXPECT_EQ(time_text(Instant{}), R"("1970-01-01T00:00:00Z")");
}

TEST(WireJsonTest, LeavesOutOfAnInstanceWhatIsNotSet) {
    const Instance instance{
        .definition = {.id = "order", .version = 2},
        .variables = Variables::from_text(R"({"a":1})"),
        .started_at = kStart,
    };
    std::string out;
    append_instance(out, instance);
    EXPECT_EQ(out,
              R"({"id":"00000000000000000000000000","definitionId":"order",)"
              R"("definitionVersion":2,"status":"ACTIVE","currentStepIds":[],)"
              R"("variables":{"a":1},"startedAt":"2026-11-15T06:55:59Z","variablesVersion":0})");
}

TEST(WireJsonTest, WritesAllOfAnInstanceThatIsOver) {
    const Instance instance{
        .definition = {.id = "order", .version = 1},
        .status = InstanceStatus::failed,
        .business_key = "b<1>",
        .state = {.open_steps = {{.step_id = "charge"}}},
        .started_at = kStart,
        .completed_at = kStart + 1s,
        .failure_reason = "",
        .parent_id = InstanceId{},
    };
    std::string out;
    append_instance(out, instance);
    EXPECT_EQ(out, R"({"id":"00000000000000000000000000","definitionId":"order",)"
                   R"("definitionVersion":1,"status":"FAILED","currentStepIds":["charge"],)"
                   R"("variables":{},"startedAt":"2026-11-15T06:55:59Z",)"
                   R"("completedAt":"2026-11-15T06:56:00Z","failureReason":"",)"
                   R"("businessKey":"b\u003c1\u003e","parentId":"00000000000000000000000000",)"
                   R"("variablesVersion":0})");
}

TEST(WireJsonTest, WritesAJobAsWorkersExpectIt) {
    const Job job{
        .key = {.id = {Id128{0, 2}}, .workspace_id = {"acme"}},
        .job_type = {"charge"},
        .step_id = "pay",
        .status = JobState::locked,
        .retries_remaining = 3,
        .lease_token = 1,
        .lease = Lease{.worker_id = {"w"}, .locked_at = kStart, .lock_expires_at = kStart + 30s},
        .created_at = kStart,
    };
    std::string out;
    append_job(out, job, Variables::from_text(R"({"a":1})"));
    EXPECT_EQ(out, R"({"id":"00000000000000000000000002","workspaceId":"acme",)"
                   R"("instanceId":"00000000000000000000000000",)"
                   R"("stepExecutionId":"00000000000000000000000001","stepId":"pay",)"
                   R"("jobType":"charge","status":"LOCKED","workerId":"w","leaseToken":1,)"
                   R"("lockedAt":"2026-11-15T06:55:59Z","lockExpiresAt":"2026-11-15T06:56:29Z",)"
                   R"("retriesRemaining":3,"attempt":1,)"
                   R"("idempotencyKey":"00000000000000000000000002","variables":{"a":1},)"
                   R"("createdAt":"2026-11-15T06:55:59Z"})");
}

TEST(WireJsonTest, TellsAWorkerItsPlaceInATrace) {
    const Job job{
        .status = JobState::locked,
        .lease = Lease{},
        .trace_parent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
    };
    std::string out;
    append_job(out, job, {});
    EXPECT_TRUE(out.ends_with(
        R"(,"traceparent":"00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"})"))
        << out;
}

TEST(WireJsonTest, WritesHistoryInCamelCaseWithTries) {
    const StepExecution execution{
        .key = {.id = {Id128{0, 1}}},
        .step_id = "pay",
        .step_type = StepType::service_task,
        .attempt_number = 2,
        .status = StepExecutionStatus::failed,
        .started_at = kStart,
        .ended_at = kStart + 1s,
        .failure_reason = "no",
        .job_status = JobState::failed,
        .tries = {{.worker_id = {"w"},
                   .lease_token = 4,
                   .started_at = kStart,
                   .ended_at = kStart + 1s,
                   .outcome = TryOutcome::failed,
                   .message = "no"}},
    };
    std::string out;
    append_step_execution(out, execution);
    EXPECT_EQ(out, R"({"id":"00000000000000000000000001",)"
                   R"("instanceId":"00000000000000000000000000",)"
                   R"("stepId":"pay","stepType":"SERVICE_TASK","attemptNumber":2,)"
                   R"("status":"FAILED","startedAt":"2026-11-15T06:55:59Z",)"
                   R"("endedAt":"2026-11-15T06:56:00Z","failureReason":"no",)"
                   R"("jobId":"00000000000000000000000002","jobStatus":"FAILED",)"
                   R"("tries":[{"attempt":4,"outcome":"FAILED","workerId":"w","leaseToken":4,)"
                   R"("startedAt":"2026-11-15T06:55:59Z","endedAt":"2026-11-15T06:56:00Z",)"
                   R"("message":"no"}]})");
}

TEST(WireJsonTest, SaysNullWhereAnOpenStepHasNoEnd) {
    std::string out;
    append_step_execution(out, {.step_id = "w", .step_type = StepType::wait});
    EXPECT_NE(out.find(R"("endedAt":null,"failureReason":null})"), std::string::npos) << out;
}

}  // namespace
}  // namespace millrace::rest
