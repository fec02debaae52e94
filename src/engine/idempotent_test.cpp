#include "engine/idempotent.hpp"

#include <gtest/gtest.h>

#include "engine/signal_wait.hpp"
#include "store/memory/memory_database.hpp"
#include "support/test_node.hpp"

namespace millrace {
namespace {

constexpr std::string_view kWaiting = R"({"id": "waiting", "name": "W", "steps": [
    {"id": "wait", "name": "W", "type": "WAIT", "nextStep": "end"},
    {"id": "end", "name": "E", "type": "END"}]})";

class IdempotentTest : public testing::Test {
protected:
    IdempotentTest() { node_.upload(kWaiting); }

    // Every start has an id of its own, as handlers mint them, also when it repeats another.
    Idempotent<StartInstance> start(std::optional<std::string> key, std::uint8_t hash = 1,
                                    std::string definition_id = "waiting") {
        Idempotent<StartInstance> command{
            .request = {.key = {{Id128::for_instance(clock_.now(), ++random_)}, kWorkspace},
                        .definition_id = std::move(definition_id)},
            .request_hash = {hash},
        };
        if (key) command.key = {kWorkspace, std::string(StartInstance::kName), *key};
        return command;
    }

    std::int64_t instance_count() { return node_.reader().instances({kWorkspace}, {})->total; }

    FakeClock clock_{kNoon};
    MemoryDatabase database_;
    TestNode node_{database_, clock_};
    std::uint64_t random_ = 0;
};

TEST_F(IdempotentTest, WithoutAKeyEveryRequestIsItsOwn) {
    for (int n = 1; n <= 2; ++n) {
        const auto started = node_.run(start(std::nullopt));
        ASSERT_TRUE(started);
        EXPECT_FALSE(started->is_replayed());
        EXPECT_EQ(instance_count(), n);
    }
    EXPECT_EQ(*node_.reader().oldest_idempotency_record(), std::nullopt);
}

TEST_F(IdempotentTest, ARepetitionLearnsWhatWasStarted) {
    const auto first = node_.run(start("k"));
    ASSERT_TRUE(first && first->answer);
    EXPECT_EQ(first->answer->status, InstanceStatus::waiting);
    clock_.advance(24h);
    const auto again = node_.run(start("k"));
    ASSERT_TRUE(again);
    EXPECT_TRUE(again->is_replayed());
    EXPECT_EQ(again->instance_id, first->answer->key.id);
    EXPECT_EQ(instance_count(), 1);
}

TEST_F(IdempotentTest, RepetitionsInOneBatchStartOneInstance) {
    std::vector<Once<Instance>> answers;
    for (int n = 0; n < 3; ++n) {
        node_.queue().submit(start("k"), [&](const Result<Once<Instance>>& answer) {
            ASSERT_TRUE(answer);
            answers.push_back(*answer);
        });
    }
    node_.commit();
    ASSERT_EQ(answers.size(), 3u);
    EXPECT_EQ(node_.listener().batch_sizes.back(), 3u);
    ASSERT_TRUE(answers[0].answer);
    EXPECT_EQ(answers[1].instance_id, answers[0].answer->key.id);
    EXPECT_EQ(answers[2].instance_id, answers[0].answer->key.id);
    EXPECT_EQ(instance_count(), 1);
}

TEST_F(IdempotentTest, AnotherRequestUnderTheSameKeyIsRefused) {
    ASSERT_TRUE(node_.run(start("k", 1)));
    const auto other = node_.run(start("k", 2));
    ASSERT_FALSE(other);
    EXPECT_EQ(other.error().code, ErrorCode::key_reused);
    EXPECT_EQ(instance_count(), 1);
}

TEST_F(IdempotentTest, ARefusalLeavesTheKeyFree) {
    const auto refused = node_.run(start("k", 1, "none"));
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, ErrorCode::not_found);
    const auto started = node_.run(start("k", 2));
    ASSERT_TRUE(started);
    EXPECT_FALSE(started->is_replayed());
}

TEST_F(IdempotentTest, ARepeatedSignalIsNoConflict) {
    const Result<Instance> instance = node_.start("waiting");
    ASSERT_TRUE(instance);
    const Idempotent<SignalWait> signal{
        .request = {.instance = instance->key, .step_id = "wait"},
        .key = IdempotencyKey{kWorkspace, std::string(SignalWait::kName), "k"},
    };
    ASSERT_TRUE(node_.run(signal));
    const auto again = node_.run(signal);
    ASSERT_TRUE(again);
    EXPECT_TRUE(again->is_replayed());
    EXPECT_EQ(again->instance_id, std::nullopt);
    EXPECT_FALSE(node_.run(signal.request)) << "without the key it is refused";
}

}  // namespace
}  // namespace millrace
