#include "queue/enqueue_execution.hpp"

#include "engine/audited.hpp"
#include "engine/idempotent.hpp"
#include "support/queue_driver.hpp"

namespace millrace {
namespace {

class EnqueueExecutionTest : public QueueTest {
protected:
    ErrorCode refusal(EnqueueExecution command) {
        const auto made = node_.run(std::move(command));
        EXPECT_FALSE(made);
        return made ? ErrorCode::internal : made.error().code;
    }
};

TEST_F(EnqueueExecutionTest, StandsInLineWithItsVersionPinned) {
    EnqueueExecution command = enqueueing();
    command.priority = 3;
    command.concurrency_key = "customer-1";
    command.requested_by = "ci";
    const Execution made = enqueue(command);
    EXPECT_EQ(made.queue_status, QueueStatus::pending);
    EXPECT_EQ(made.place, QueuePlace::ready);
    EXPECT_EQ(made.rank_at, rank_at(kNoon, 3));
    EXPECT_EQ(made.created_at, kNoon);
    EXPECT_EQ(made.definition.id, "order");
    EXPECT_EQ(made.definition.version, 1);
    EXPECT_EQ(made.executor, ExecutorKind::native);

    node_.upload(R"({"id":"order","name":"Other","steps":[{"id":"e","name":"E","type":"END"}]})");
    const StoredExecution kept = stored(made.key);
    EXPECT_EQ(kept.execution, made);
    EXPECT_EQ(kept.input.text(), R"({"amount":7})");
    EXPECT_EQ(enqueue().definition.version, 2) << "the latest, now";
    EnqueueExecution first = enqueueing();
    first.definition_version = 1;
    EXPECT_EQ(enqueue(first).definition.version, 1);
}

TEST_F(EnqueueExecutionTest, TakesItsExecutorFromTheDefinition) {
    const Execution made = enqueue("remote");
    EXPECT_EQ(made.executor, ExecutorKind::temporal);
    EXPECT_EQ(made.target, "main");
}

TEST_F(EnqueueExecutionTest, WaitsUntilItsTime) {
    EnqueueExecution command = enqueueing();
    command.not_before = kNoon + 1h;
    const Execution later = enqueue(command);
    EXPECT_EQ(later.place, QueuePlace::due);
    EXPECT_EQ(later.due_at, kNoon + 1h);
    EXPECT_EQ(later.rank_at, rank_at(kNoon + 1h, 0));

    command = enqueueing();
    command.not_before = kNoon;
    EXPECT_EQ(enqueue(command).place, QueuePlace::ready) << "that time is here";
}

TEST_F(EnqueueExecutionTest, KeepsTheTraceOfItsRequest) {
    EnqueueExecution command = enqueueing();
    command.trace = {.trace_id_high = 1, .trace_id_low = 2, .span_id = 3, .is_sampled = true};
    EXPECT_EQ(enqueue(command).trace_parent, trace_parent_text(command.trace));
}

TEST_F(EnqueueExecutionTest, RefusesWhatIsNotThere) {
    EnqueueExecution command = enqueueing("nothing");
    EXPECT_EQ(refusal(command), ErrorCode::not_found);
    command = enqueueing();
    command.definition_version = 2;
    EXPECT_EQ(refusal(command), ErrorCode::not_found);
    command = enqueueing();
    command.key.workspace_id = {"nowhere"};
    EXPECT_EQ(refusal(command), ErrorCode::not_found);
    make_workspace("other");
    command.key.workspace_id = {"other"};
    EXPECT_EQ(refusal(command), ErrorCode::not_found) << "the definition is not theirs";
}

TEST_F(EnqueueExecutionTest, RefusesWhatMakesNoSense) {
    const auto refused = [&](const std::string& field, auto change) {
        EnqueueExecution command = enqueueing();
        change(command);
        const auto made = node_.run(command);
        ASSERT_FALSE(made) << field;
        EXPECT_EQ(made.error().code, ErrorCode::invalid_argument);
        ASSERT_EQ(made.error().details.size(), 1U);
        EXPECT_EQ(made.error().details.front().path, field);
    };
    refused("priority", [](EnqueueExecution& command) { command.priority = -1; });
    refused("priority", [](EnqueueExecution& command) { command.priority = 10; });
    refused("deadline", [](EnqueueExecution& command) { command.deadline = kNoon; });
    refused("deadline", [](EnqueueExecution& command) {
        command.not_before = kNoon + 2h;
        command.deadline = kNoon + 1h;
    });
    refused("concurrencyKey",
            [](EnqueueExecution& command) { command.concurrency_key = std::string(300, 'x'); });
}

TEST_F(EnqueueExecutionTest, AKeyMakesOneExecution) {
    const auto once = [&] {
        return Idempotent<Audited<EnqueueExecution>>{
            .request = {enqueueing(), AuditTrail{{AuditEntryId{next_key().id.value}, kWorkspace}}},
            .key = IdempotencyKey{kWorkspace, "execution.enqueue", "k"},
        };
    };
    const auto first = node_.run(once());
    ASSERT_TRUE(first && first->answer);
    const auto second = node_.run(once());
    ASSERT_TRUE(second);
    EXPECT_TRUE(second->is_replayed());
    EXPECT_EQ(second->instance_id->value, first->answer->key.id.value);

    const auto audit = node_.reader().audit({.workspace_id = kWorkspace}, {});
    ASSERT_TRUE(audit);
    ASSERT_EQ(audit->items.size(), 1U);
    EXPECT_EQ(audit->items.front().kind, AuditKind::execution_enqueued);
    EXPECT_EQ(audit->items.front().subject, to_string(first->answer->key.id.value));
    EXPECT_EQ(audit->items.front().details.find("amount"), std::string::npos);
}

}  // namespace
}  // namespace millrace
