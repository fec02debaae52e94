#include "engine/start_instance.hpp"

#include <gtest/gtest.h>

#include "store/memory/memory_database.hpp"
#include "support/test_node.hpp"

namespace millrace {
namespace {

// What runs elsewhere has no instances, however one is asked for.
class StartElsewhereTest : public testing::Test {
protected:
    FakeClock clock_{kNoon};
    MemoryDatabase database_;
    TestNode node_{database_, clock_};
};

constexpr std::string_view kWithoutSteps =
    R"({"id":"away","name":"Away","executor":{"kind":"temporal"}})";
constexpr std::string_view kWithSteps =
    R"({"id":"away","name":"Away","executor":{"kind":"temporal"},"steps":[
        {"id":"end","name":"End","type":"END"}]})";

TEST_F(StartElsewhereTest, IsRefused) {
    for (const std::string_view definition : {kWithoutSteps, kWithSteps}) {
        node_.upload(definition);
        const Result<Instance> started = node_.start("away");
        ASSERT_FALSE(started) << definition;
        EXPECT_EQ(started.error().code, ErrorCode::invalid_argument);
        EXPECT_NE(started.error().detail.find("enqueue"), std::string::npos);
    }
}

TEST_F(StartElsewhereTest, IsStillPossibleForAVersionThatRunsHere) {
    node_.upload(R"({"id":"away","name":"Away","steps":[{"id":"end","name":"End","type":"END"}]})");
    node_.upload(kWithoutSteps);
    EXPECT_FALSE(node_.start("away"));
    const StartInstance first{
        .key = {{Id128::for_instance(kNoon, 1'000)}, kWorkspace},
        .definition_id = "away",
        .definition_version = 1,
    };
    EXPECT_TRUE(node_.run(first));
}

TEST_F(StartElsewhereTest, IsAFailureOfTheChainAndNotOfItsParent) {
    node_.upload(kWithoutSteps);
    node_.upload(R"({"id":"first","name":"First","autoStartNextWorkflow":true,
        "nextWorkflowId":"away","steps":[{"id":"end","name":"End","type":"END"}]})");
    const Result<Instance> parent = node_.start("first");
    ASSERT_TRUE(parent) << parent.error().detail;
    EXPECT_EQ(parent->status, InstanceStatus::completed);
    EXPECT_EQ(node_.instance(parent->key).state.chain_failure,
              "CHAIN_FAILED: definition \"away\" runs on temporal and has no instances: it has to "
              "be enqueued");
}

}  // namespace
}  // namespace millrace
