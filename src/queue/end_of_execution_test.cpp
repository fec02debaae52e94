#include "engine/audited.hpp"
#include "engine/remove_instances.hpp"
#include "queue/cancel_execution.hpp"
#include "queue/complete_execution.hpp"
#include "support/queue_driver.hpp"

namespace millrace {
namespace {

class EndOfExecutionTest : public QueueTest {
protected:
    Result<Execution> complete(const ExecutionKey& key, QueueStatus end, std::string reason = "") {
        return node_.run(CompleteExecution{.key = key, .end = end, .reason = std::move(reason)});
    }

    Result<CancelledExecution> cancel(const ExecutionKey& key, bool is_forced = false) {
        return node_.run(
            CancelExecution{.key = key, .is_forced = is_forced, .reason = "not needed"});
    }
};

TEST_F(EndOfExecutionTest, AReportEndsARun) {
    const ExecutionKey key = run_remote().key;
    clock_.advance(1s);
    const auto over =
        node_.run(CompleteExecution{.key = key, .result = R"({"ok":true})", .run_id = "run-9"});
    ASSERT_TRUE(over);
    EXPECT_EQ(text_of(over->queue_status), "COMPLETED");
    EXPECT_EQ(over->completed_at, kNoon + 1s);
    EXPECT_EQ(over->run_id, "run-9");
    EXPECT_FALSE(over->due_at);
    EXPECT_EQ(stored(key).execution, *over);
    EXPECT_EQ(stored(key).result, R"({"ok":true})");
    EXPECT_EQ(*complete(key, QueueStatus::completed), *over) << "said twice";
    const auto other = complete(key, QueueStatus::failed);
    ASSERT_FALSE(other);
    EXPECT_EQ(other.error().code, ErrorCode::conflict);
}

TEST_F(EndOfExecutionTest, AReportMayComeBeforeItsStart) {
    const ExecutionKey claimed = claim_remote().execution.key;
    EXPECT_TRUE(complete(claimed, QueueStatus::failed, "TIMED_OUT"));
    EXPECT_EQ(execution(claimed).error_reason, failure::kTimedOut);
    const ExecutionKey waiting = enqueue("remote").key;
    EXPECT_TRUE(complete(waiting, QueueStatus::completed));
    EXPECT_TRUE(admit().claimed.empty());
}

TEST_F(EndOfExecutionTest, ATerminationIsWhatWasAskedForOrAFailure) {
    const ExecutionKey key = run_remote().key;
    EXPECT_EQ(complete(key, QueueStatus::failed, "TERMINATED")->error_reason, "TERMINATED");
    const ExecutionKey wanted = run_remote().key;
    ASSERT_TRUE(cancel(wanted, true));
    const auto over = complete(wanted, QueueStatus::failed, "TERMINATED");
    ASSERT_TRUE(over);
    EXPECT_EQ(text_of(over->queue_status), "CANCELLED");
    EXPECT_TRUE(over->error_reason.empty());
    EXPECT_TRUE(complete(wanted, QueueStatus::failed, "TERMINATED")) << "said twice";
}

TEST_F(EndOfExecutionTest, RefusesReportsThatCannotBe) {
    const ExecutionKey native = enqueue().key;
    EXPECT_EQ(complete(native, QueueStatus::completed).error().code, ErrorCode::conflict);
    const ExecutionKey key = run_remote().key;
    EXPECT_EQ(complete(key, QueueStatus::pending).error().code, ErrorCode::invalid_argument);
    EXPECT_EQ(complete(key, QueueStatus::failed, "BORED").error().code,
              ErrorCode::invalid_argument);
    EXPECT_EQ(complete(next_key(), QueueStatus::completed).error().code, ErrorCode::not_found);
    const auto large =
        node_.run(CompleteExecution{.key = key, .result = std::string((4u << 20) + 1, ' ')});
    EXPECT_EQ(large.error().code, ErrorCode::too_large);
    EXPECT_EQ(text_of(status(key)), "DISPATCHED");
}

TEST_F(EndOfExecutionTest, WhatWaitsIsCancelledAtOnce) {
    const ExecutionKey key = enqueue().key;
    const auto cancelled = cancel(key);
    ASSERT_TRUE(cancelled);
    EXPECT_EQ(text_of(cancelled->execution.queue_status), "CANCELLED");
    EXPECT_EQ(cancelled->execution.error_message, "not needed");
    EXPECT_EQ(execution(key), cancelled->execution);
    EXPECT_TRUE(admit().dispatched.empty());
    EXPECT_TRUE(cancel(key)) << "again";
    EXPECT_EQ(cancel(next_key()).error().code, ErrorCode::not_found);
}

TEST_F(EndOfExecutionTest, WhatRunsHereIsCancelledWithItsInstance) {
    const ExecutionKey key = enqueue().key;
    admit();
    const auto cancelled = cancel(key);
    ASSERT_TRUE(cancelled);
    EXPECT_FALSE(cancelled->instance_needed);
    EXPECT_EQ(cancelled->execution, execution(key));
    EXPECT_EQ(text_of(cancelled->execution.queue_status), "CANCELLED");
    EXPECT_EQ(cancelled->execution.cancel_requested_at, kNoon);
    EXPECT_EQ(node_.instance(instance_key(key)).status, InstanceStatus::cancelled);
    EXPECT_TRUE(node_.poll("charge").empty());
}

TEST_F(EndOfExecutionTest, AChainIsCancelledWhereItIs) {
    node_.upload(
        R"({"id":"first","name":"F","autoStartNextWorkflow":true,"nextWorkflowId":"order","steps":[
        {"id":"charge","name":"C","type":"SERVICE_TASK","jobType":"charge","nextStep":"done"},
        {"id":"done","name":"Done","type":"END"}]})");
    const ExecutionKey key = enqueue("first").key;
    admit();
    finish_jobs();
    const auto asked = cancel(key);
    ASSERT_TRUE(asked);
    ASSERT_TRUE(asked->instance_needed);
    EXPECT_EQ(text_of(status(key)), "DISPATCHED") << "nothing was done";
    const auto cancelled =
        node_.run(CancelExecution{.key = key, .instance_id = asked->instance_needed});
    ASSERT_TRUE(cancelled);
    EXPECT_EQ(text_of(status(key)), "CANCELLED");
    EXPECT_EQ(node_.instance({*asked->instance_needed, kWorkspace}).status,
              InstanceStatus::cancelled);
}

TEST_F(EndOfExecutionTest, WhatRunsElsewhereFollowsItsExecutor) {
    const ExecutionKey key = run_remote().key;
    const auto wanted = cancel(key);
    ASSERT_TRUE(wanted);
    EXPECT_EQ(text_of(wanted->execution.queue_status), "DISPATCHED");
    EXPECT_EQ(wanted->execution.cancel_requested_at, kNoon);
    EXPECT_EQ(wanted->execution.due_at, kNoon);
    EXPECT_TRUE(complete(key, QueueStatus::completed)) << "it was faster";
    EXPECT_EQ(text_of(status(key)), "COMPLETED");
    EXPECT_EQ(cancel(key).error().code, ErrorCode::conflict);
}

TEST_F(EndOfExecutionTest, OnlyWhatChangesSomethingIsNoted) {
    const ExecutionKey key = run_remote().key;
    const auto cancel_by = [&](bool is_forced) {
        EXPECT_TRUE(node_.run(Audited<CancelExecution>{
            .request = {.key = key, .is_forced = is_forced, .reason = "late"},
            .trail = AuditTrail{{AuditEntryId{next_key().id.value}, kWorkspace}}}));
        return node_.reader().audit({.workspace_id = kWorkspace}, {})->total;
    };
    EXPECT_EQ(cancel_by(false), 1);
    EXPECT_EQ(cancel_by(false), 1);
    EXPECT_EQ(cancel_by(true), 2);
    const AuditEntry entry = node_.reader().audit({.workspace_id = kWorkspace}, {})->items.front();
    EXPECT_EQ(entry.kind, AuditKind::execution_cancelled);
    EXPECT_EQ(entry.subject, to_string(key.id.value));
    EXPECT_EQ(entry.details, R"({"reason":"late","force":true})");
}

}  // namespace
}  // namespace millrace
