// Starts of executions that go on in a transaction of their own, because one would take or write
// too much.

#include "base/json/write.hpp"
#include "core/limits.hpp"
#include "queue/cancel_execution.hpp"
#include "support/queue_driver.hpp"

namespace millrace {
namespace {

constexpr std::string_view kAgain = R"({"id": "again", "name": "Again",
    "autoStartNextWorkflow": true, "nextWorkflowId": "again",
    "steps": [{"id": "end", "name": "End", "type": "END"}]})";

// Takes more work than one command may.
constexpr std::string_view kEndless = R"({"id": "endless", "name": "Endless", "steps": [
    {"id": "d", "name": "D", "type": "DECISION", "conditionalNextSteps": {
        "count(1..9000, # < 0) > 0": "end", "true": "d"}},
    {"id": "end", "name": "End", "type": "END"}]})";

class PutOffStartsTest : public QueueTest {
protected:
    Execution enqueue_large() {
        json::Value input{json::Object{}};
        input.set("blob", std::string(3'900'000, 'x'));
        EnqueueExecution command = enqueueing("again");
        command.input = *Variables::from_value(input);
        return enqueue(std::move(command));
    }

    Instance current(const ExecutionKey& key) {
        return node_.instance({*execution(key).instance_id, key.workspace_id});
    }
};

TEST_F(PutOffStartsTest, AChainThatGoesOnLaterKeepsItsSlot) {
    node_.upload(kAgain);
    const ExecutionKey key = enqueue_large().key;
    ASSERT_EQ(admit().dispatched.size(), 1U);
    EXPECT_EQ(text_of(status(key)), "DISPATCHED");
    const Instance first = current(key);
    ASSERT_TRUE(first.state.pending_start);
    EXPECT_EQ(first.execution_id, key.id);

    node_.settle();
    EXPECT_EQ(text_of(status(key)), "DISPATCHED") << "its chain has not ended";
    const Instance later = current(key);
    EXPECT_NE(later.key, first.key);
    EXPECT_EQ(later.execution_id, key.id);
    EXPECT_EQ(node_.instance(first.key).status, InstanceStatus::completed);
    ASSERT_TRUE(later.state.pending_start);
    EXPECT_GT(later.state.pending_start->automatic_steps,
              first.state.pending_start->automatic_steps);

    const auto asked = node_.run(CancelExecution{.key = key, .reason = "enough"});
    ASSERT_TRUE(asked);
    EXPECT_EQ(asked->instance_needed, later.key.id) << "the one that waits for the next start";
    ASSERT_TRUE(
        node_.run(CancelExecution{.key = key, .reason = "enough", .instance_id = later.key.id}));
    node_.settle();
    EXPECT_EQ(text_of(status(key)), "CANCELLED");
    EXPECT_EQ(node_.instance(later.key).status, InstanceStatus::cancelled);
    EXPECT_TRUE(node_.reader().due_timers(clock_.now(), 10)->empty());
}

// A hundred starts share one transaction, and each may take all that one command may.
TEST_F(PutOffStartsTest, ARoundThatHasDoneMuchWorkBeginsTheOthersLater) {
    node_.upload(kEndless);
    std::vector<ExecutionKey> keys;
    for (int i = 0; i < 12; ++i) keys.push_back(enqueue("endless").key);
    ASSERT_EQ(admit().dispatched.size(), 12U);
    int later = 0;
    for (const ExecutionKey& key : keys) {
        if (current(key).state.pending_start) later += 1;
    }
    EXPECT_GE(later, 5);
    EXPECT_LE(later, 9);
    node_.settle();
    for (const ExecutionKey& key : keys) {
        EXPECT_EQ(text_of(status(key)), "FAILED");
        EXPECT_NE(execution(key).error_message.find("WorkLimitReached"), std::string::npos);
        EXPECT_EQ(node_.told(instance_key(key)).substr(0, 2), "d:");
    }
}

}  // namespace
}  // namespace millrace
