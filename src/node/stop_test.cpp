#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>

#include "engine/get_instance.hpp"
#include "engine/upload_definition.hpp"
#include "node/node.hpp"
#include "queue/enqueue_execution.hpp"
#include "store/memory/memory_database.hpp"
#include "support/borrowed_executor.hpp"
#include "support/executions.hpp"
#include "support/fake_clock.hpp"
#include "support/instances.hpp"
#include "support/loop_driver.hpp"
#include "support/remote_node.hpp"
#include "support/scripted_cluster.hpp"
#include "support/surroundings.hpp"

namespace millrace {
namespace {

using namespace std::chrono_literals;

constexpr Duration kPatience = 10s;
constexpr int kRoundsMax = 1'000;

// Ends loops as their threads do: a loop that has nothing to do ends at once, and the others go on.
class ThreadLikeRunner final : public runtime::LoopRunner {
public:
    using Loop = runtime::Loop;

    void start(Loop& loop) override { loops_.push_back(&loop); }
    void stop(Loop& loop) override { std::erase(loops_, &loop); }
    void finish(Loop& loop) override {
        bool is_over = false;
        for (int round = 0; round < kRoundsMax && !is_over; ++round) {
            loop.take_wake();
            const Loop::Next next = loop.run_once();
            is_over = !next.at_once && !next.after && !loop.take_wake();
            if (!is_over) call_others(loop);
        }
        EXPECT_TRUE(is_over) << loop.name() << " does not come to its end";
        stop(loop);
        call_others(loop);
    }

    bool others_go_on = true;  // Else their threads do not get the processor.

private:
    void call_others(const Loop& ending) {
        if (!others_go_on) return;
        for (Loop* loop : std::vector(loops_)) {
            if (loop != &ending) loop->run_once();
        }
    }

    std::vector<Loop*> loops_;
};

class StopTest : public testing::Test {
protected:
    Node::Options options() {
        Node::Options options;
        options.queue.dispatcher = {.owner = kOwner, .plans = default_plans()};
        options.queue.remote = {.owner = kOwner};
        options.queue.executors = borrowed({{"main", &cluster_}});
        return options;
    }

    template <class Request>
    auto run(Request request) {
        using Answer = typename PendingCommand<Request>::Answer;
        std::optional<Result<Answer>> answer;
        node_.commands().submit(std::move(request),
                                [&](Result<Answer> result) { answer = std::move(result); });
        loop_named(node_.loops(), "committer").run_once();
        EXPECT_TRUE(answer && *answer);
        return answer ? *answer : Result<Answer>(Error{});
    }

    // How a question is answered that no reader has had the time for when the node stops.
    ErrorCode answer_of_question(Duration patience) {
        std::optional<ErrorCode> told;
        node_.queries().submit(GetInstance{instance_key(1)},
                               [&](const Result<Instance>& answer) { told = answer.error().code; });
        runner_.others_go_on = false;
        node_.stop(runner_, clock_.now() + patience);
        EXPECT_TRUE(told) << "not answered";
        return told.value_or(ErrorCode::internal);
    }

    MemoryDatabase database_;
    FakeClock clock_{kNoon};
    ScriptedCluster cluster_{clock_};
    Surroundings surroundings_;
    Node node_{surroundings_.context(database_, clock_), options()};
    ThreadLikeRunner runner_;
};

TEST_F(StopTest, QuestionsThatWaitAreAnswered) {
    node_.start(runner_);
    EXPECT_EQ(answer_of_question(kPatience), ErrorCode::not_found);
}

TEST_F(StopTest, QuestionsAreGivenUpWhenThePatienceIsOver) {
    node_.start(runner_);
    EXPECT_EQ(answer_of_question(Duration::zero()), ErrorCode::unavailable);
}

// Else its claims would lie until their leases end.
TEST_F(StopTest, WhatARoundUnderWayLetsInIsLetGoOf) {
    ASSERT_TRUE(run(*make_upload({"default"}, json_of(RemoteNode::kDefinition))));
    const ExecutionKey key = execution_key(1);
    ASSERT_TRUE(run(EnqueueExecution{.key = key, .definition_id = "order"}));
    loop_named(node_.loops(), "dispatcher").run_once();
    node_.start(runner_);
    node_.stop(runner_, clock_.now() + kPatience);
    const auto stored = database_.reader()->execution(key.id);
    ASSERT_TRUE(stored && *stored);
    EXPECT_EQ((*stored)->execution.queue_status, QueueStatus::pending);
    EXPECT_EQ(cluster_.starts, 0);
}

}  // namespace
}  // namespace millrace
