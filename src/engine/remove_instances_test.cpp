#include "engine/remove_instances.hpp"

#include <gtest/gtest.h>

#include "engine/retry_instance.hpp"
#include "store/memory/memory_database.hpp"
#include "support/test_node.hpp"

namespace millrace {
namespace {

constexpr std::string_view kOrder = R"({"id":"order","name":"Order","steps":[
    {"id":"charge","name":"Charge","type":"SERVICE_TASK","jobType":"charge","retryCount":0,
     "nextStep":"done"},
    {"id":"done","name":"Done","type":"END"}]})";

class RemoveInstancesTest : public testing::Test {
protected:
    void SetUp() override { node_.upload(kOrder); }

    InstanceKey start() { return node_.start("order")->key; }

    void finish() {
        for (const DeliveredJob& job : node_.poll("charge")) ASSERT_TRUE(node_.complete(job));
    }
    void fail() {
        for (const DeliveredJob& job : node_.poll("charge")) ASSERT_TRUE(node_.fail(job, false));
    }

    std::size_t remove(const InstanceKey& key, Instant ended_before) {
        const auto removed = node_.run(RemoveInstances{{key}, ended_before});
        EXPECT_TRUE(removed);
        return removed ? removed->count : 0;
    }

    bool exists(const InstanceKey& key) { return node_.reader().instance(key)->has_value(); }

    FakeClock clock_{kNoon};
    MemoryDatabase database_;
    TestNode node_{database_, clock_};
};

TEST_F(RemoveInstancesTest, RemovesWhatHasEndedBefore) {
    const InstanceKey key = start();
    finish();
    EXPECT_EQ(remove(key, kNoon + 1us), 1u);
    EXPECT_FALSE(exists(key));
    EXPECT_EQ(*node_.reader().history(key), std::nullopt);
}

TEST_F(RemoveInstancesTest, LeavesWhatHasEndedLater) {
    const InstanceKey key = start();
    finish();
    EXPECT_EQ(remove(key, kNoon), 0u);
    EXPECT_TRUE(exists(key));
}

TEST_F(RemoveInstancesTest, LeavesWhatIsOpen) {
    const InstanceKey key = start();
    EXPECT_EQ(remove(key, kNoon + 1h), 0u);
    EXPECT_TRUE(exists(key));
}

TEST_F(RemoveInstancesTest, LeavesWhatWasOpenedAgainInTheSameBatch) {
    const InstanceKey key = start();
    fail();
    ASSERT_EQ(node_.instance(key).status, InstanceStatus::failed);
    bool is_retried = false;
    node_.queue().submit(RetryInstance{key},
                         [&](const auto& retried) { is_retried = static_cast<bool>(retried); });
    EXPECT_EQ(remove(key, kNoon + 1h), 0u);
    EXPECT_TRUE(is_retried);
    EXPECT_EQ(node_.instance(key).status, InstanceStatus::active);
}

TEST_F(RemoveInstancesTest, CommandsOfTheSameBatchNoLongerFindIt) {
    const InstanceKey key = start();
    fail();
    std::optional<ErrorCode> refusal;
    node_.queue().submit(RemoveInstances{{key}, kNoon + 1h}, [](const auto&) {});
    node_.queue().submit(RetryInstance{key}, [&](const auto& retried) {
        if (!retried) refusal = retried.error().code;
    });
    node_.commit();
    EXPECT_EQ(refusal, ErrorCode::not_found);
    EXPECT_FALSE(exists(key));
}

TEST_F(RemoveInstancesTest, OneThatIsGoneIsFine) {
    const InstanceKey key = start();
    finish();
    EXPECT_EQ(remove(key, kNoon + 1h), 1u);
    EXPECT_EQ(remove(key, kNoon + 1h), 0u);
}

}  // namespace
}  // namespace millrace
