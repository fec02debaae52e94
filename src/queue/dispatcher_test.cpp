#include "queue/dispatcher.hpp"

#include "queue/cancel_execution.hpp"
#include "queue/change_workspace.hpp"
#include "support/faulty_database.hpp"
#include "support/queue_driver.hpp"

namespace millrace {
namespace {

class Told final : public DispatcherListener {
public:
    void on_round(const AdmittedExecutions& round, Duration) override {
        rounds += 1;
        dispatched += round.dispatched.size();
        for (const Execution& each : round.failed) failed.push_back(each.error_reason);
    }
    void on_capacity_reached(const WorkspaceAtCapacity& workspace) override {
        full.push_back(workspace.workspace_id);
    }
    void on_failure(const Error&) override { failures += 1; }

    int rounds = 0;
    int failures = 0;
    std::size_t dispatched = 0;
    std::vector<std::string> failed{};
    std::vector<WorkspaceId> full{};
};

class DispatcherTest : public QueueTest {
protected:
    void SetUp() override {
        QueueTest::SetUp();
        node_.listener().note_batch_end = [this](const BatchEnd& batch) {
            if (batch.status && is_listening_) dispatcher_.on_commit(batch.writes);
        };
        run();
        told_ = {};
    }

    // Rounds until there is nothing more to do now.
    void run() {
        for (int i = 0; i < 100; ++i) {
            if (dispatcher_.run_once().next_at) return;
            node_.commit();
        }
        ADD_FAILURE() << "the dispatcher does not come to rest";
    }

    void limit(const WorkspaceChanges& changes) {
        ASSERT_TRUE(node_.run(ChangeWorkspace{kWorkspace, changes, default_plans()}));
        run();
    }

    ExecutionKey enqueue_with_key(const std::string& key) {
        EnqueueExecution command = enqueueing();
        command.concurrency_key = key;
        return enqueue(command).key;
    }

    void finish_one() {
        const auto jobs = node_.poll("charge", 1);
        ASSERT_EQ(jobs.size(), 1U);
        ASSERT_TRUE(node_.complete(jobs.front()));
    }

    Told told_;
    bool is_listening_ = true;
    Dispatcher dispatcher_{node_.queue(),
                           told_,
                           clock_,
                           {.owner = kOwner, .plans = default_plans(), .items_max = 8},
                           {},
                           [] {
                           }};
};

TEST_F(DispatcherTest, LetsInWhatComesAndThenRests) {
    for (int i = 0; i < 20; ++i) enqueue();
    run();
    EXPECT_EQ(told_.dispatched, 20U);
    const int rounds = told_.rounds;
    run();
    EXPECT_EQ(told_.rounds, rounds) << "nothing is worth a look";
}

TEST_F(DispatcherTest, AFreeSlotIsUsedAtOnce) {
    limit({.max_active = 1});
    const ExecutionKey first = enqueue().key;
    const ExecutionKey second = enqueue().key;
    run();
    EXPECT_EQ(text_of(status(first)), "DISPATCHED");
    EXPECT_EQ(text_of(status(second)), "PENDING");
    EXPECT_EQ(told_.full, std::vector<WorkspaceId>{kWorkspace}) << "told once";
    finish_one();
    run();
    EXPECT_EQ(text_of(status(second)), "DISPATCHED");
    const ExecutionKey third = enqueue().key;
    ASSERT_TRUE(node_.run(CancelExecution{.key = second}));
    run();
    EXPECT_EQ(text_of(status(third)), "DISPATCHED");
}

TEST_F(DispatcherTest, ARateIsFollowedWithoutTheNet) {
    limit({.rate_per_second = 10.0});
    for (int i = 0; i < 12; ++i) enqueue();
    run();
    EXPECT_EQ(told_.dispatched, 10U);
    for (const std::size_t expected : {11U, 12U}) {
        const auto next_at = dispatcher_.run_once().next_at;
        ASSERT_TRUE(next_at);
        EXPECT_LE(*next_at - clock_.now(), 100ms + 1us);
        clock_.advance(*next_at - clock_.now());
        run();
        EXPECT_EQ(told_.dispatched, expected);
    }
}

TEST_F(DispatcherTest, AFreePlaceOfAKeyIsUsedAtOnce) {
    const ExecutionKey first = enqueue_with_key("customer-1");
    const ExecutionKey second = enqueue_with_key("customer-1");
    const ExecutionKey third = enqueue_with_key("customer-1");
    run();
    EXPECT_EQ(text_of(status(first)), "DISPATCHED");
    EXPECT_EQ(execution(second).place, QueuePlace::parked);
    finish_one();
    run();
    EXPECT_EQ(text_of(status(second)), "DISPATCHED");
    EXPECT_EQ(text_of(status(third)), "PENDING");
    ASSERT_TRUE(node_.run(CancelExecution{.key = second}));
    run();
    EXPECT_EQ(text_of(status(third)), "DISPATCHED");
}

TEST_F(DispatcherTest, TheNetFindsWhatNobodyToldOf) {
    is_listening_ = false;
    const ExecutionKey first = enqueue_with_key("customer-1");
    const ExecutionKey second = enqueue_with_key("customer-1");
    run();
    EXPECT_EQ(told_.dispatched, 0U);
    clock_.advance(5s);
    run();
    EXPECT_EQ(text_of(status(first)), "DISPATCHED");
    finish_one();
    run();
    EXPECT_EQ(text_of(status(second)), "PENDING");
    clock_.advance(5s);
    run();
    EXPECT_EQ(text_of(status(second)), "DISPATCHED");
}

TEST_F(DispatcherTest, HearsOfWhatOthersCommit) {
    is_listening_ = false;
    const ExecutionKey key = enqueue().key;
    dispatcher_.hear({kWorkspace});
    run();
    EXPECT_EQ(text_of(status(key)), "DISPATCHED");
    const ExecutionKey other = enqueue().key;
    dispatcher_.hear_of_anything();
    run();
    EXPECT_EQ(text_of(status(other)), "DISPATCHED");
}

TEST_F(DispatcherTest, OnePoisonedItemFailsAlone) {
    std::vector<ExecutionKey> keys;
    for (int i = 0; i < 11; ++i) keys.push_back(enqueueing().key);
    // There is an instance of that id already: the store refuses a second one.
    ASSERT_TRUE(node_.run(StartInstance{.key = instance_key(keys[4]), .definition_id = "order"}));
    is_listening_ = false;
    for (const ExecutionKey& key : keys) {
        EnqueueExecution command = enqueueing();
        command.key = key;
        enqueue(command);
    }
    is_listening_ = true;
    dispatcher_.hear({kWorkspace});
    run();
    EXPECT_EQ(told_.dispatched, 10U);
    EXPECT_EQ(told_.failed, std::vector<std::string>{std::string(failure::kStartFailed)});
    EXPECT_EQ(text_of(status(keys[4])), "FAILED");
    EXPECT_GT(told_.failures, 0);
}

TEST_F(DispatcherTest, ARoundThatTakesTooLongGetsSmallerUntilItPasses) {
    is_listening_ = false;
    for (int i = 0; i < 20; ++i) enqueue();
    FaultPlan plan{.executions_max = 3};
    FaultyDatabase slow(database_, plan);
    TestNode node(slow, clock_);
    Dispatcher dispatcher(node.queue(), told_, clock_,
                          {.owner = kOwner, .plans = default_plans(), .items_max = 8}, {}, [] {});
    for (int round = 0; round < 100 && told_.dispatched < 20; ++round) {
        if (const auto next_at = dispatcher.run_once().next_at) {
            clock_.advance(*next_at - clock_.now());
        }
        node.commit();
    }
    EXPECT_EQ(told_.dispatched, 20U);
    EXPECT_EQ(told_.failures, 2) << "8, 4, and then those that pass";
}

TEST_F(DispatcherTest, BeginsNoRoundOnceItIsStopped) {
    enqueue();
    dispatcher_.stop();
    EXPECT_FALSE(dispatcher_.run_once().next_at);
    node_.commit();
    EXPECT_EQ(told_.rounds, 0);
}

// More of them than one round looks at, woken by the net and found full: whoever stands behind them
// is seen all the same.
TEST_F(DispatcherTest, ManyFullWorkspacesHideNobody) {
    const auto enqueue_in = [this](const std::string& id) {
        EnqueueExecution command = enqueueing();
        command.key.workspace_id = {id};
        return enqueue(std::move(command)).key;
    };
    for (int i = 0; i < 150; ++i) {
        const std::string id = "full-" + std::to_string(i);
        make_workspace(id, {.max_active = 1});
        node_.upload(kOrderDefinition, {id});
        enqueue_in(id);
        enqueue_in(id);
    }
    for (int i = 0; i < 20; ++i) enqueue();  // It has got more than they have.
    run();
    is_listening_ = false;
    const ExecutionKey late = enqueue().key;
    clock_.advance(5s);
    run();
    EXPECT_EQ(text_of(status(late)), "DISPATCHED");
}

}  // namespace
}  // namespace millrace
