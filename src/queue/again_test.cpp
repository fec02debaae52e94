#include "engine/cancel_instance.hpp"
#include "engine/change_variables.hpp"
#include "engine/remove_instances.hpp"
#include "engine/retry_instance.hpp"
#include "queue/cancel_execution.hpp"
#include "queue/complete_execution.hpp"
#include "queue/dismiss_dead_letter.hpp"
#include "queue/list_dead_letters.hpp"
#include "queue/make_ready.hpp"
#include "queue/redrive_execution.hpp"
#include "queue/remove_executions.hpp"
#include "queue/retry_execution.hpp"
#include "support/queue_driver.hpp"

namespace millrace {
namespace {

class AgainTest : public QueueTest {
protected:
    // A dead letter that never ran.
    Execution refused_for_good() {
        const StartAnswer answer{.outcome = StartOutcome::conflict, .message = "not ours"};
        return record(claim_remote(), answer).execution;
    }

    // One that ran here and failed.
    Execution failed_here(const std::string& definition_id = "order") {
        const ExecutionKey key = enqueue(definition_id).key;
        admit();
        fail_jobs();
        EXPECT_EQ(text_of(status(key)), "FAILED");
        return execution(key);
    }

    RetryExecution retrying(const ExecutionKey& key) {
        return {.key = key, .new_id = next_key().id, .input = stored(key).input};
    }

    std::int64_t dead_letters() {
        return read(ListDeadLetters{{.workspace_id = kWorkspace}, {}}, node_.reader())->total;
    }

    template <class Request>
    ErrorCode refusal(Request request) {
        const auto done = node_.run(std::move(request));
        EXPECT_FALSE(done);
        return done ? ErrorCode::internal : done.error().code;
    }
};

TEST_F(AgainTest, WhatIsDrivenAgainMayHaveToWait) {
    const Execution dead = refused_for_good();
    const Instant later = clock_.now() + 1h;
    const auto redriven = node_.run(RedriveExecution{dead.key, later});
    ASSERT_TRUE(redriven);
    EXPECT_EQ(redriven->place, QueuePlace::due);
    EXPECT_EQ(redriven->not_before, later);

    const Execution failed = failed_here();
    RetryExecution retry = retrying(failed.key);
    retry.not_before = later;
    const auto retried = node_.run(retry);
    ASSERT_TRUE(retried);
    EXPECT_EQ(retried->not_before, later);
    EXPECT_EQ(admit().processed(), 0) << "neither is let in yet";
    clock_.advance(1h);
    EXPECT_TRUE(node_.run(MakeReady{dead.key})->is_ready);
    EXPECT_TRUE(node_.run(MakeReady{retry.key = {retry.new_id, kWorkspace}})->is_ready);
}

TEST_F(AgainTest, WhatIsDueStandsInLine) {
    EnqueueExecution command = enqueueing();
    command.not_before = kNoon + 1h;
    enqueue(command);
    EXPECT_FALSE(node_.run(MakeReady{command.key})->is_ready) << "not yet";
    clock_.advance(1h);
    EXPECT_TRUE(node_.run(MakeReady{command.key})->is_ready);
    EXPECT_FALSE(node_.run(MakeReady{command.key})->is_ready) << "it is already";
    EXPECT_EQ(execution(command.key).place, QueuePlace::ready);
    EXPECT_EQ(admit().dispatched.size(), 1U);
    EXPECT_FALSE(node_.run(MakeReady{command.key})->is_ready);
    EXPECT_FALSE(node_.run(MakeReady{next_key()})->is_ready);
}

TEST_F(AgainTest, WhatIsTooLateFailsWhereverItWaits) {
    EnqueueExecution later = enqueueing();
    later.not_before = kNoon + 1h;
    later.deadline = kNoon + 2h;
    EnqueueExecution ready = enqueueing();
    ready.deadline = kNoon + 2h;
    enqueue(later);
    enqueue(ready);
    clock_.advance(2h);
    for (const ExecutionKey& key : {later.key, ready.key}) {
        const auto made = node_.run(MakeReady{key});
        EXPECT_TRUE(made->expired);
        EXPECT_FALSE(made->is_ready);
        EXPECT_EQ(execution(key).error_reason, failure::kDeadlineExceeded);
    }
}

TEST_F(AgainTest, WhatNeverRanIsDrivenAgainUnderItsId) {
    const Execution dead = refused_for_good();
    EXPECT_EQ(dead_letters(), 1);
    const auto again = node_.run(RedriveExecution{dead.key});
    ASSERT_TRUE(again);
    EXPECT_EQ(text_of(again->queue_status), "PENDING");
    EXPECT_EQ(again->attempt_count, 0);
    EXPECT_EQ(dead_letters(), 0);
    const AdmittedExecutions round = admit();
    ASSERT_EQ(round.claimed.size(), 1U);
    EXPECT_EQ(round.claimed.front().execution.key, dead.key);
    EXPECT_EQ(round.claimed.front().execution.claim.token, 2);

    EXPECT_EQ(refusal(RedriveExecution{dead.key}), ErrorCode::conflict) << "it is CLAIMED";
    EXPECT_EQ(refusal(RedriveExecution{next_key()}), ErrorCode::not_found);
    EXPECT_EQ(refusal(RedriveExecution{failed_here().key}), ErrorCode::conflict) << "it ran";
}

TEST_F(AgainTest, WhatRanIsRetriedByANewOne) {
    const Execution before = failed_here();
    const RetryExecution command = retrying(before.key);
    const auto retry = node_.run(command);
    ASSERT_TRUE(retry);
    EXPECT_EQ(retry->key.id, command.new_id);
    EXPECT_EQ(retry->retry_of, before.key.id);
    EXPECT_EQ(execution(before.key).retried_by, command.new_id);
    EXPECT_EQ(text_of(status(before.key)), "FAILED") << "it stays what it was";
    EXPECT_EQ(stored(retry->key).input.text(), R"({"amount":7})");
    EXPECT_EQ(dead_letters(), 0);
    EXPECT_EQ(refusal(retrying(before.key)), ErrorCode::conflict) << "once";
    EXPECT_EQ(admit().dispatched.size(), 1U);
    EXPECT_EQ(refusal(retrying(retry->key)), ErrorCode::conflict) << "it runs";
    finish_jobs();
    EXPECT_EQ(text_of(status(retry->key)), "COMPLETED");
}

TEST_F(AgainTest, AnInstanceGoesOnOnceItsExecutionIsLetIn) {
    const Execution before = failed_here();
    RetryExecution command = retrying(before.key);
    command.resumes = true;
    const auto waiting = node_.run(command);
    ASSERT_TRUE(waiting);
    EXPECT_EQ(waiting->key, before.key);
    EXPECT_EQ(text_of(waiting->queue_status), "PENDING");
    EXPECT_EQ(node_.instance(instance_key(before.key)).status, InstanceStatus::failed);
    EXPECT_EQ(refusal(command), ErrorCode::conflict) << "it waits already";

    ASSERT_EQ(admit().dispatched.size(), 1U);
    EXPECT_EQ(node_.instance(instance_key(before.key)).status, InstanceStatus::active);
    EXPECT_FALSE(execution(before.key).is_resuming);
    finish_jobs();
    EXPECT_EQ(text_of(status(before.key)), "COMPLETED");
    EXPECT_EQ(node_.told(instance_key(before.key)),
              "charge:FAILED charge:COMPLETED done:COMPLETED");

    const Execution elsewhere = run_remote();
    ASSERT_TRUE(node_.run(CompleteExecution{.key = elsewhere.key, .end = QueueStatus::failed}));
    command = retrying(elsewhere.key);
    command.resumes = true;
    EXPECT_EQ(refusal(command), ErrorCode::conflict) << "it ran elsewhere";
}

TEST_F(AgainTest, RetryingAnInstanceIsNoWayAroundAdmission) {
    const Execution before = failed_here();
    const InstanceKey key = instance_key(before.key);
    const auto retried = node_.run(RetryInstance{key});
    ASSERT_TRUE(retried);
    EXPECT_FALSE(retried->execution_needed);
    EXPECT_EQ(retried->instance.status, InstanceStatus::failed) << "it waits to be let in";
    const Execution waiting = execution(before.key);
    EXPECT_EQ(text_of(waiting.queue_status), "PENDING");
    EXPECT_TRUE(waiting.is_resuming);
    EXPECT_EQ(refusal(RetryInstance{key}), ErrorCode::conflict);
    ASSERT_TRUE(
        node_.run(ChangeVariables{.instance = key, .changes = json_of(R"({"mended":true})")}));
    admit();
    EXPECT_EQ(refusal(RetryInstance{key}), ErrorCode::conflict) << "it runs";
    finish_jobs();
    EXPECT_EQ(text_of(status(before.key)), "COMPLETED");
}

TEST_F(AgainTest, AChainedInstanceNamesItsExecution) {
    node_.upload(
        R"({"id":"first","name":"F","autoStartNextWorkflow":true,"nextWorkflowId":"order","steps":[
        {"id":"done","name":"Done","type":"END"}]})");
    const Execution before = failed_here("first");
    const InstanceKey last{*before.instance_id, kWorkspace};
    ASSERT_NE(last.id.value, before.key.id.value);
    auto retried = node_.run(RetryInstance{last});
    ASSERT_TRUE(retried);
    ASSERT_EQ(retried->execution_needed, before.key.id);
    EXPECT_EQ(text_of(status(before.key)), "FAILED") << "nothing was done";
    retried = node_.run(RetryInstance{last, retried->execution_needed});
    ASSERT_TRUE(retried);
    EXPECT_FALSE(retried->execution_needed);
    EXPECT_EQ(admit().dispatched.size(), 1U);
    EXPECT_EQ(node_.instance(last).status, InstanceStatus::active);
    finish_jobs();
    EXPECT_EQ(text_of(status(before.key)), "COMPLETED");
}

TEST_F(AgainTest, RetentionSparesAnInstanceThatWaitsToGoOn) {
    const Execution before = failed_here();
    RetryExecution command = retrying(before.key);
    command.resumes = true;
    ASSERT_TRUE(node_.run(command));
    EXPECT_EQ(node_.run(RemoveInstances{{instance_key(before.key)}, kNoon + 1h})->count, 0U);
    EXPECT_EQ(admit().dispatched.size(), 1U);
    EXPECT_EQ(node_.instance(instance_key(before.key)).status, InstanceStatus::active);
}

TEST_F(AgainTest, WithoutItsInstanceItDoesNotGoOn) {
    const Execution before = failed_here();
    ASSERT_EQ(node_.run(RemoveInstances{{instance_key(before.key)}, kNoon + 1h})->count, 1U);
    RetryExecution command = retrying(before.key);
    command.resumes = true;
    command.instance_id = before.instance_id;
    EXPECT_EQ(refusal(command), ErrorCode::conflict);
    EXPECT_EQ(dead_letters(), 1);

    // A caller that does not say which instance learns it when it is let in.
    command.instance_id.reset();
    ASSERT_TRUE(node_.run(command));
    const AdmittedExecutions round = admit();
    ASSERT_EQ(round.failed.size(), 1U);
    EXPECT_EQ(round.failed.front().error_reason, failure::kStartFailed);
    EXPECT_EQ(refusal(RedriveExecution{before.key}), ErrorCode::conflict);
    EXPECT_TRUE(node_.run(retrying(before.key))) << "anew";
}

TEST_F(AgainTest, AnInstanceWhoseExecutionIsGoneStays) {
    const Execution before = failed_here();
    ASSERT_EQ(node_.run(RemoveExecutions{{before.key}, kNoon + 1h})->count, 1U);
    EXPECT_EQ(refusal(RetryInstance{instance_key(before.key)}), ErrorCode::conflict);
}

TEST_F(AgainTest, CancelledWhileItWaitsToGoOn) {
    const Execution before = failed_here();
    ASSERT_TRUE(node_.run(RetryInstance{instance_key(before.key)}));
    ASSERT_TRUE(node_.run(CancelExecution{.key = before.key}));
    EXPECT_EQ(text_of(status(before.key)), "CANCELLED");
    EXPECT_TRUE(admit().dispatched.empty());
}

TEST_F(AgainTest, DismissedOnesAreNoDeadLetters) {
    const Execution dead = refused_for_good();
    const auto dismissed = node_.run(DismissDeadLetter{dead.key});
    ASSERT_TRUE(dismissed);
    EXPECT_EQ(dismissed->dismissed_at, kNoon);
    EXPECT_EQ(dead_letters(), 0);
    clock_.advance(1s);
    EXPECT_EQ(node_.run(DismissDeadLetter{dead.key})->dismissed_at, kNoon) << "once";
    EXPECT_TRUE(node_.run(RedriveExecution{dead.key})) << "but it can be driven again";
    EXPECT_EQ(refusal(DismissDeadLetter{dead.key}), ErrorCode::conflict);
    EXPECT_EQ(refusal(DismissDeadLetter{next_key()}), ErrorCode::not_found);
}

TEST_F(AgainTest, OldOnesAreRemoved) {
    const ExecutionKey over = refused_for_good().key;
    const ExecutionKey open = enqueue().key;
    const ExecutionKey gone = next_key();
    const std::vector<ExecutionKey> all{over, open, gone};
    EXPECT_EQ(node_.run(RemoveExecutions{all, kNoon})->count, 0U) << "it ended later";
    EXPECT_EQ(node_.run(RemoveExecutions{all, kNoon + 1us})->count, 1U);
    EXPECT_EQ(refusal(RedriveExecution{over}), ErrorCode::not_found);
    EXPECT_EQ(text_of(status(open)), "PENDING");
}

}  // namespace
}  // namespace millrace
