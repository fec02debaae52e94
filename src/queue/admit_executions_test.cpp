#include "queue/admit_executions.hpp"

#include "queue/cancel_execution.hpp"
#include "queue/change_workspace.hpp"
#include "queue/delete_workspace.hpp"
#include "support/queue_driver.hpp"

namespace millrace {
namespace {

class AdmitExecutionsTest : public QueueTest {
protected:
    void limit(WorkspaceChanges changes) {
        const auto changed = node_.run(ChangeWorkspace{kWorkspace, changes, default_plans()});
        ASSERT_TRUE(changed) << changed.error().detail;
    }

    std::vector<ExecutionKey> enqueue_many(int count, const std::string& definition = "order") {
        std::vector<ExecutionKey> keys;
        for (int i = 0; i < count; ++i) keys.push_back(enqueue(definition).key);
        return keys;
    }

    std::string reason_of(const AdmittedExecutions& round) {
        EXPECT_EQ(round.failed.size(), 1U);
        return round.failed.empty() ? "" : round.failed.front().error_reason;
    }
};

TEST_F(AdmitExecutionsTest, AnEmptyQueueIsNoTrouble) {
    const AdmittedExecutions round = admit();
    EXPECT_EQ(round.processed(), 0);
    EXPECT_FALSE(round.has_more);
}

TEST_F(AdmitExecutionsTest, StartsWhatRunsHereInTheSameTransaction) {
    const Execution waiting = enqueue();
    clock_.advance(1s);
    const AdmittedExecutions round = admit();
    ASSERT_EQ(round.dispatched.size(), 1U);
    const Execution running = execution(waiting.key);
    EXPECT_EQ(running, round.dispatched.front());
    EXPECT_EQ(running.queue_status, QueueStatus::dispatched);
    EXPECT_EQ(running.claimed_at, kNoon + 1s);
    EXPECT_EQ(running.dispatched_at, kNoon + 1s);
    EXPECT_EQ(running.started_at, kNoon + 1s);
    EXPECT_EQ(running.claim.token, 1);
    EXPECT_FALSE(running.due_at) << "its instance tells of its end";

    const Instance instance = node_.instance(instance_key(waiting.key));
    EXPECT_EQ(instance.execution_id, waiting.key.id);
    EXPECT_EQ(instance.variables.text(), R"({"amount":7})");
    EXPECT_EQ(running.instance_id, instance.key.id);

    clock_.advance(1s);
    finish_jobs();
    const Execution over = execution(waiting.key);
    EXPECT_EQ(over.queue_status, QueueStatus::completed);
    EXPECT_EQ(over.completed_at, kNoon + 2s);
}

TEST_F(AdmitExecutionsTest, WhatIsOverAtOnceIsOver) {
    const Execution waiting = enqueue("quick");
    const AdmittedExecutions round = admit();
    ASSERT_EQ(round.dispatched.size(), 1U);
    EXPECT_EQ(round.dispatched.front(), execution(waiting.key));
    EXPECT_EQ(text_of(status(waiting.key)), "COMPLETED");
}

TEST_F(AdmitExecutionsTest, AFailedInstanceFailsItsExecution) {
    const Execution waiting = enqueue();
    admit();
    fail_jobs();
    const Execution over = execution(waiting.key);
    EXPECT_EQ(over.queue_status, QueueStatus::failed);
    EXPECT_EQ(over.error_reason, failure::kWorkflowFailed);
    EXPECT_FALSE(over.error_message.empty());
}

TEST_F(AdmitExecutionsTest, AChainKeepsItsExecutionToTheEnd) {
    node_.upload(
        R"({"id":"first","name":"F","autoStartNextWorkflow":true,"nextWorkflowId":"order","steps":[
        {"id":"done","name":"Done","type":"END"}]})");
    node_.upload(
        R"({"id":"zero","name":"Z","autoStartNextWorkflow":true,"nextWorkflowId":"first","steps":[
        {"id":"done","name":"Done","type":"END"}]})");
    const ExecutionKey key = enqueue("zero").key;
    const ExecutionKey other = enqueue("order").key;
    EXPECT_EQ(admit().dispatched.size(), 2U) << "what the chain needs is asked for on the way";
    const Execution running = execution(key);
    EXPECT_EQ(text_of(running.queue_status), "DISPATCHED");
    EXPECT_NE(running.instance_id->value, key.id.value);
    const Instance last = node_.instance({*running.instance_id, kWorkspace});
    EXPECT_EQ(last.definition.id, "order");
    EXPECT_EQ(last.execution_id, key.id);
    finish_jobs();
    EXPECT_EQ(text_of(status(key)), "COMPLETED");
    EXPECT_EQ(text_of(status(other)), "COMPLETED");
}

TEST_F(AdmitExecutionsTest, AChainThatGoesOnLaterIsNoted) {
    node_.upload(
        R"({"id":"again","name":"A","autoStartNextWorkflow":true,"nextWorkflowId":"order","steps":[
        {"id":"charge","name":"C","type":"SERVICE_TASK","jobType":"charge","nextStep":"done"},
        {"id":"done","name":"Done","type":"END"}]})");
    const ExecutionKey key = enqueue("again").key;
    admit();
    EXPECT_EQ(execution(key).instance_id->value, key.id.value);
    finish_jobs();
    const Execution running = execution(key);
    EXPECT_EQ(text_of(running.queue_status), "DISPATCHED");
    ASSERT_NE(running.instance_id->value, key.id.value);
    EXPECT_EQ(node_.instance({*running.instance_id, kWorkspace}).execution_id, key.id);
    finish_jobs();
    EXPECT_EQ(text_of(status(key)), "COMPLETED");
    EXPECT_EQ(execution(key).instance_id, running.instance_id);
}

TEST_F(AdmitExecutionsTest, LimitsAreHard) {
    limit({.max_active = 2});
    const std::vector<ExecutionKey> keys = enqueue_many(5);
    AdmittedExecutions round = admit();
    EXPECT_EQ(round.dispatched.size(), 2U);
    EXPECT_EQ(round.at_capacity, 3);
    ASSERT_EQ(round.workspaces_at_capacity.size(), 1U);
    EXPECT_EQ(round.workspaces_at_capacity.front().workspace_id, kWorkspace);
    EXPECT_EQ(round.workspaces_at_capacity.front().active, 2);
    EXPECT_EQ(round.workspaces_at_capacity.front().limit, 2);
    EXPECT_EQ(round.fell_asleep, std::vector<WorkspaceId>{kWorkspace});
    EXPECT_FALSE(round.has_more);

    EXPECT_TRUE(admit().dispatched.empty());
    ASSERT_TRUE(node_.complete(node_.poll("charge", 1).front()));
    round = admit();
    ASSERT_EQ(round.dispatched.size(), 1U);
    EXPECT_EQ(round.dispatched.front().key, keys[2]) << "first come, first served";
}

TEST_F(AdmitExecutionsTest, ALowerLimitLetsFinishWhatRuns) {
    enqueue_many(4);
    EXPECT_EQ(admit().dispatched.size(), 4U);
    limit({.max_active = 2});
    enqueue_many(1);
    EXPECT_TRUE(admit().dispatched.empty());
    for (const DeliveredJob& job : node_.poll("charge", 2)) ASSERT_TRUE(node_.complete(job));
    EXPECT_TRUE(admit().dispatched.empty()) << "two run, and two is the limit";
    ASSERT_TRUE(node_.complete(node_.poll("charge", 1).front()));
    EXPECT_EQ(admit().dispatched.size(), 1U);
}

TEST_F(AdmitExecutionsTest, APausedWorkspaceIsNotAtCapacity) {
    limit({.is_paused = true});
    enqueue_many(2);
    const AdmittedExecutions round = admit();
    EXPECT_EQ(round.processed(), 0);
    EXPECT_EQ(round.at_capacity, 0);
    EXPECT_TRUE(round.workspaces_at_capacity.empty());
    limit({.is_paused = false});
    EXPECT_EQ(admit().dispatched.size(), 2U);
}

TEST_F(AdmitExecutionsTest, ARoundTakesWhatItMay) {
    enqueue_many(15);
    AdmitExecutions command = admitting();
    command.items_max = 10;
    AdmittedExecutions round = admit(command);
    EXPECT_EQ(round.dispatched.size(), 10U);
    EXPECT_TRUE(round.has_more);
    command.request.looks_everywhere = false;
    round = admit(command);
    EXPECT_EQ(round.dispatched.size(), 5U) << "it is runnable still";
    EXPECT_FALSE(round.has_more);
}

TEST_F(AdmitExecutionsTest, WeightsDoNotStretchARound) {
    limit({.weight = 5});
    enqueue_many(9);
    AdmitExecutions command = admitting();
    command.items_max = 4;
    EXPECT_EQ(admit(command).dispatched.size(), 4U);
}

TEST_F(AdmitExecutionsTest, ALineThatIsBlockedDelaysNobody) {
    make_workspace("other");
    limit({.max_active = 0});
    enqueue_many(10);
    const auto other = make_upload({"other"}, json_of(kOrderDefinition));
    ASSERT_TRUE(node_.run(*other));
    EnqueueExecution command = enqueueing();
    command.key.workspace_id = {"other"};
    const Execution theirs = enqueue(command);
    AdmitExecutions admission = admitting();
    admission.items_max = 10;
    const AdmittedExecutions round = admit(admission);
    ASSERT_EQ(round.dispatched.size(), 1U);
    EXPECT_EQ(round.dispatched.front().key, theirs.key);
    EXPECT_EQ(round.at_capacity, 10);
}

TEST_F(AdmitExecutionsTest, RatesAreLookedAtAgain) {
    limit({.rate_per_second = 2.0});
    enqueue_many(5);
    AdmittedExecutions round = admit();
    EXPECT_EQ(round.dispatched.size(), 2U);
    ASSERT_EQ(round.workspaces_at_rate.size(), 1U);
    EXPECT_EQ(round.workspaces_at_rate.front().workspace_id, kWorkspace);
    EXPECT_EQ(round.workspaces_at_rate.front().until, kNoon + 500ms);
    EXPECT_EQ(round.at_capacity, 0) << "there are slots";
    clock_.advance(500ms);
    round = admit();
    EXPECT_EQ(round.dispatched.size(), 1U);
}

TEST_F(AdmitExecutionsTest, FullKeysAreParked) {
    EnqueueExecution first = enqueueing();
    EnqueueExecution second = enqueueing();
    first.concurrency_key = second.concurrency_key = "customer-1";
    enqueue(first);
    enqueue(second);
    const ExecutionKey free = enqueue().key;
    AdmittedExecutions round = admit();
    EXPECT_EQ(round.dispatched.size(), 2U);
    EXPECT_EQ(round.parked, 1);
    EXPECT_EQ(round.parked_keys, (std::vector{ConcurrencyKey{kWorkspace, "customer-1"}}));
    EXPECT_EQ(text_of(status(free)), "DISPATCHED");
    EXPECT_EQ(execution(second.key).place, QueuePlace::parked);
    finish_jobs();
    round = admit();
    ASSERT_EQ(round.dispatched.size(), 1U);
    EXPECT_EQ(round.dispatched.front().key, second.key);
}

TEST_F(AdmitExecutionsTest, LateOnesFail) {
    EnqueueExecution command = enqueueing();
    command.deadline = kNoon + 1s;
    enqueue(command);
    clock_.advance(1s);
    EXPECT_EQ(reason_of(admit()), failure::kDeadlineExceeded);
    EXPECT_EQ(text_of(status(command.key)), "FAILED");
}

TEST_F(AdmitExecutionsTest, WhatRunsElsewhereIsClaimed) {
    node_.upload(R"({"id":"often","name":"O","maxAttempts":7,"executor":{"kind":"temporal",
        "target":"main","taskQueue":"q","workflowType":"w"}})");
    limit({.max_attempts = 5});
    const Execution waiting = enqueue("remote");
    enqueue("often");
    const AdmittedExecutions round = admit();
    ASSERT_EQ(round.claimed.size(), 2U);
    const ClaimedExecution& claimed = round.claimed.front();
    EXPECT_EQ(claimed.execution, execution(waiting.key));
    EXPECT_EQ(text_of(claimed.execution.queue_status), "CLAIMED");
    EXPECT_EQ(claimed.execution.claim, (Claim{.token = 1, .owner = kOwner}));
    EXPECT_EQ(claimed.execution.due_at, kNoon + kLease);
    EXPECT_EQ(claimed.input.text(), R"({"amount":7})");
    ASSERT_NE(claimed.definition, nullptr);
    EXPECT_EQ(claimed.definition->executor.task_queue, "q");
    EXPECT_EQ(claimed.rules.max_attempts, 5) << "its workspace's";
    EXPECT_EQ(round.claimed.back().rules.max_attempts, 7) << "its definition's own";
}

TEST_F(AdmitExecutionsTest, ClosedTargetsAreLeftAlone) {
    const Execution elsewhere = enqueue("remote");
    const Execution here = enqueue();
    limit({.max_active = 1});
    AdmitExecutions command = admitting();
    command.targets_closed = {{"main", kNoon + 10s}};
    AdmittedExecutions round = admit(command);
    EXPECT_EQ(round.postponed, 1);
    EXPECT_TRUE(round.claimed.empty());
    EXPECT_EQ(text_of(status(here.key)), "DISPATCHED") << "the slot is another's";
    const Execution waiting = execution(elsewhere.key);
    EXPECT_EQ(waiting.place, QueuePlace::due);
    EXPECT_EQ(waiting.due_at, kNoon + 10s);
    EXPECT_EQ(waiting.deferrals, 0);
    EXPECT_EQ(waiting.attempt_count, 0);
}

TEST_F(AdmitExecutionsTest, WhatCannotStartFailsAlone) {
    // Starts more automatic steps than one transaction may run.
    node_.upload(
        R"({"id":"wild","name":"W","autoStartNextWorkflow":true,"nextWorkflowId":"wild","steps":[
        {"id":"done","name":"Done","type":"END"}]})");
    const ExecutionKey wild = enqueue("wild").key;
    const ExecutionKey tame = enqueue().key;
    const AdmittedExecutions round = admit();
    EXPECT_EQ(text_of(status(tame)), "DISPATCHED");
    EXPECT_EQ(text_of(status(wild)), "FAILED");
    EXPECT_EQ(round.dispatched.size() + round.failed.size(), 2U);
}

TEST_F(AdmitExecutionsTest, PoisonIsTakenOutWhenItIsKnown) {
    const std::vector<ExecutionKey> keys = enqueue_many(2);
    std::vector<ExecutionKey> tried;
    AdmitExecutions command = admitting();
    command.poisoned = {keys.front()};
    command.on_tried = [&](std::vector<ExecutionKey> each) {
        tried = std::move(each);
    };
    const AdmittedExecutions round = admit(command);
    EXPECT_EQ(reason_of(round), failure::kStartFailed);
    EXPECT_EQ(tried, (std::vector{keys.back()}));
    EXPECT_EQ(text_of(status(keys.back())), "DISPATCHED");
}

TEST_F(AdmitExecutionsTest, WhatIsCancelledInTheSameBatchDoesNotRun) {
    const ExecutionKey key = enqueue().key;
    node_.queue().submit(CancelExecution{.key = key}, [](const auto& done) { EXPECT_TRUE(done); });
    // Workspaces take turns with the admission: either of the two may be decided first.
    const bool was_let_in = !admit().dispatched.empty();
    EXPECT_EQ(text_of(status(key)), "CANCELLED");
    if (was_let_in) {
        EXPECT_EQ(node_.instance(instance_key(key)).status, InstanceStatus::cancelled);
    }
}

TEST_F(AdmitExecutionsTest, TwoInOneBatchExceedNoLimit) {
    limit({.max_active = 3, .rate_per_second = 4.0});
    enqueue_many(9);
    std::size_t first = 0;
    node_.queue().submit(admitting(), [&](const Result<AdmittedExecutions>& round) {
        first = round->dispatched.size();
    });
    const std::size_t second = admit().dispatched.size();
    EXPECT_EQ(first + second, 3U);
    EXPECT_TRUE(admit().dispatched.empty());
}

TEST_F(AdmitExecutionsTest, WithoutItsWorkspaceAnItemFails) {
    make_workspace("gone", {.is_paused = true});
    ASSERT_TRUE(node_.run(*make_upload({"gone"}, json_of(kOrderDefinition))));
    const auto counted = read(CountOpenWork{{"gone"}}, node_.reader());
    ASSERT_TRUE(counted);
    EnqueueExecution command = enqueueing();
    command.key.workspace_id = {"gone"};
    enqueue(command);
    ASSERT_TRUE(node_.run(DeleteWorkspace{*counted}));
    EXPECT_EQ(reason_of(admit()), failure::kWorkspaceNotFound);
    EXPECT_EQ(text_of(status(command.key)), "FAILED");
}

TEST_F(AdmitExecutionsTest, WithoutItsDefinitionAnItemFails) {
    const auto enqueue_and_lose = [&](bool comes_back) {
        const WorkspaceId id{"gone"};
        make_workspace(id.value, {.is_paused = true});
        EXPECT_TRUE(node_.run(*make_upload(id, json_of(kOrderDefinition))));
        const auto counted = read(CountOpenWork{id}, node_.reader());
        EnqueueExecution command = enqueueing();
        command.key.workspace_id = id;
        enqueue(command);
        EXPECT_TRUE(node_.run(DeleteWorkspace{*counted}));
        make_workspace(id.value);
        if (comes_back) {
            EXPECT_TRUE(node_.run(*make_upload(id, json_of(kOrderDefinition))));
        }
        const std::string reason = reason_of(admit());
        EXPECT_TRUE(node_.run(ChangeWorkspace{id, {.is_paused = true}, {}}));
        EXPECT_TRUE(node_.run(DeleteWorkspace{*read(CountOpenWork{id}, node_.reader())}));
        return reason;
    };
    EXPECT_EQ(enqueue_and_lose(false), failure::kDefinitionNotFound);
    EXPECT_EQ(enqueue_and_lose(true), failure::kVersionNotFound) << "another one of that name";
}

TEST_F(AdmitExecutionsTest, SharesAreAtLeastOne) {
    EXPECT_EQ(share_of_line(100, 0), 100);
    EXPECT_EQ(share_of_line(100, 3), 33);
    EXPECT_EQ(share_of_line(10, 64), 1);
}

}  // namespace
}  // namespace millrace
