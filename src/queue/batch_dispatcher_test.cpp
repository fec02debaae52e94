#include "queue/batch_dispatcher.hpp"

#include <algorithm>

#include "queue/change_workspace.hpp"
#include "support/counting_random.hpp"
#include "support/kept_spans.hpp"
#include "support/queue_driver.hpp"

namespace millrace {
namespace {

class Told final : public BatchListener {
public:
    void on_batch_claimed(const AdmittedExecutions& batch) override {
        sizes.push_back(batch.processed());
        for (const Execution& each : batch.failed) failed.push_back(each.error_reason);
    }
    void on_batch_over(Duration) override { over += 1; }
    void on_capacity_reached(const WorkspaceAtCapacity& workspace) override {
        full.push_back(workspace.workspace_id);
    }
    void on_failure(const Error& error) override { failures.push_back(error.code); }

    std::vector<std::int64_t> sizes{};
    int over = 0;
    std::vector<std::string> failed{};
    std::vector<WorkspaceId> full{};
    std::vector<ErrorCode> failures{};
};

class BatchDispatcherTest : public QueueTest {
protected:
    void run_batch() {
        bool is_over = false;
        dispatcher_.begin([&] { is_over = true; });
        node_.commit();
        EXPECT_TRUE(is_over);
    }

    void limit(const WorkspaceChanges& changes) {
        ASSERT_TRUE(node_.run(ChangeWorkspace{kWorkspace, changes, default_plans()}));
    }

    Execution enqueue_in(const std::string& workspace, const std::string& definition = "order") {
        EnqueueExecution command = enqueueing(definition);
        command.key.workspace_id = {workspace};
        return enqueue(std::move(command));
    }

    Told told_;
    BatchDispatcher dispatcher_{
        node_.queue(), told_, clock_, {.owner = kOwner, .plans = default_plans()}, {}};
};

using Sizes = std::vector<std::int64_t>;

TEST_F(BatchDispatcherTest, FifteenAreTenAndThenFive) {
    limit({.max_active = 15});
    for (int i = 0; i < 15; ++i) enqueue();
    run_batch();
    EXPECT_EQ(told_.sizes, (Sizes{10}));
    run_batch();
    EXPECT_EQ(told_.sizes, (Sizes{10, 5}));
    EXPECT_EQ(told_.over, 2);
}

TEST_F(BatchDispatcherTest, AnEmptyQueueIsLookedAtInSilence) {
    run_batch();
    EXPECT_EQ(told_.sizes, (Sizes{0}));
    EXPECT_EQ(told_.over, 0);
    EXPECT_TRUE(told_.full.empty());
}

TEST_F(BatchDispatcherTest, ManyWorkspacesFillOneBatch) {
    node_.upload(kOrderDefinition, {"small"});
    make_workspace("small");
    enqueue_in("small");
    for (int i = 0; i < 20; ++i) enqueue();
    run_batch();
    EXPECT_EQ(told_.sizes, (Sizes{10})) << "a share that is not used is another's";
}

TEST_F(BatchDispatcherTest, WorkspacesThatAreFullDoNotDelayOthers) {
    for (int i = 0; i < 25; ++i) {
        const std::string id = "full-" + std::to_string(i);
        make_workspace(id, {.max_active = 1});
        node_.upload(kOrderDefinition, {id});
        enqueue_in(id);
        enqueue_in(id);
    }
    for (int i = 0; i < 3; ++i) run_batch();
    EXPECT_EQ(told_.sizes, (Sizes{10, 10, 5}));
    const Execution late = enqueue();
    run_batch();
    EXPECT_EQ(text_of(status(late.key)), "DISPATCHED");
    EXPECT_EQ(told_.full.size(), 25U) << "each told once";
}

TEST_F(BatchDispatcherTest, WhatIsGoneFailsAndTheOthersGoOn) {
    EnqueueExecution late = enqueueing();
    late.deadline = clock_.now() + 1s;
    const ExecutionKey key = enqueue(late).key;
    const ExecutionKey sound = enqueue().key;
    clock_.advance(2s);
    run_batch();
    EXPECT_EQ(text_of(status(key)), "FAILED");
    EXPECT_EQ(text_of(status(sound)), "DISPATCHED");
    EXPECT_EQ(told_.failed, (std::vector<std::string>{"DEADLINE_EXCEEDED"}));
}

TEST_F(BatchDispatcherTest, SpansTellOfABatchAndNotOfAnEmptyOne) {
    KeptSpans sink;
    CountingRandom random;
    const observe::Tracer tracer(sink, random, 1);
    BatchDispatcher dispatcher{node_.queue(),
                               told_,
                               clock_,
                               {.owner = kOwner, .plans = default_plans(), .tracer = &tracer},
                               {}};
    const auto run = [&] {
        dispatcher.begin([] {});
        node_.commit();
    };
    run();
    EXPECT_TRUE(sink.spans.empty());
    enqueue();
    enqueue();
    run();
    EXPECT_EQ(std::ranges::count(sink.spans, "flow:queue_processing", &observe::Span::name), 1);
    EXPECT_EQ(std::ranges::count(sink.spans, "step:process_item", &observe::Span::name), 2);
}

TEST_F(BatchDispatcherTest, AClosedQueueEndsTheBatch) {
    enqueue();
    node_.queue().close();
    run_batch();
    EXPECT_EQ(told_.failures, (std::vector<ErrorCode>{ErrorCode::unavailable}));
    EXPECT_EQ(told_.sizes, (Sizes{0}));
}

}  // namespace
}  // namespace millrace
