// Goal: an execution whose start brings about what a store can never keep fails alone, with a
// reason; all others of its batch go on.
// Method: an instance that fails at its first step, with a message that quotes U+0000 from its
// definition: no store keeps such a text. It stands among others, in one workspace and in several.

#include <gtest/gtest.h>

#include "queue/create_workspace.hpp"
#include "store_conformance/world.hpp"
#include "support/remote_node.hpp"

namespace millrace {
namespace {

constexpr std::string_view kGood = R"({"id": "order", "name": "Order", "steps": [
    {"id": "end", "name": "E", "type": "END"}]})";
constexpr std::string_view kPoison = R"({"id": "poison", "name": "Poison", "steps": [
    {"id": "set", "name": "S", "type": "TRANSFORMATION", "nextStep": "end",
     "transformations": {"text": "${missing + '\u0000'}"}},
    {"id": "end", "name": "E", "type": "END"}]})";

class QueuePoison : public testing::TestWithParam<Candidate> {
protected:
    void make_workspace(const std::string& id) {
        ASSERT_TRUE(node_.run(CreateWorkspace{
            .id = {id}, .settings = {.plan = "UNLIMITED"}, .plans = default_plans()}));
        node_.upload(kGood, {id});
        node_.upload(kPoison, {id});
    }

    ExecutionKey enqueue(const std::string& workspace, const std::string& definition_id) {
        const ExecutionKey key = execution_key(++count_, workspace);
        const auto made = node_.run(EnqueueExecution{
            .key = key, .definition_id = definition_id, .input = Variables::from_text("{}")});
        EXPECT_TRUE(made) << made.error().detail;
        return key;
    }

    // A failed round is followed by a pause.
    void settle() {
        for (int second = 0; second < 10; ++second) {
            clock_.advance(1s);
            node_.settle();
        }
    }

    void expect_poisoned(const ExecutionKey& key) {
        const Execution execution = node_.execution(key);
        EXPECT_EQ(to_string(execution.queue_status), "FAILED");
        EXPECT_EQ(execution.error_reason, failure::kStartFailed);
        EXPECT_FALSE(execution.error_message.empty());
        const auto instance = node_.reader().instance({InstanceId{key.id.value}, key.workspace_id});
        EXPECT_TRUE(instance && !*instance) << "nothing of its start is there";
    }

    FakeClock clock_{kNoon};
    std::unique_ptr<World> world_ = GetParam().make();
    RemoteNode node_{world_->database(), clock_, {}};
    std::uint64_t count_ = 0;
};

TEST_P(QueuePoison, FailsAloneAmongOthersOfItsWorkspace) {
    make_workspace("one");
    std::vector<ExecutionKey> good;
    std::vector<ExecutionKey> bad;
    for (int number = 0; number < 20; ++number) {
        const bool is_bad = number == 7 || number == 8 || number == 19;
        (is_bad ? bad : good).push_back(enqueue("one", is_bad ? "poison" : "order"));
    }
    settle();
    for (const ExecutionKey& key : good) EXPECT_EQ(node_.status(key), "COMPLETED");
    for (const ExecutionKey& key : bad) expect_poisoned(key);
}

TEST_P(QueuePoison, DelaysNoOtherWorkspaceForGood) {
    std::vector<ExecutionKey> good;
    std::vector<ExecutionKey> bad;
    for (const std::string workspace : {"one", "two", "three"}) {
        make_workspace(workspace);
        bad.push_back(enqueue(workspace, "poison"));
        for (int number = 0; number < 3; ++number) good.push_back(enqueue(workspace, "order"));
    }
    settle();
    for (const ExecutionKey& key : good) EXPECT_EQ(node_.status(key), "COMPLETED");
    for (const ExecutionKey& key : bad) expect_poisoned(key);
    for (const std::string workspace : {"one", "two", "three"}) {
        EXPECT_TRUE(node_.reader().slot_holders({workspace}, "", 10)->empty());
    }
}

INSTANTIATE_TEST_SUITE_P(All, QueuePoison, testing::ValuesIn(kCandidates),
                         [](const auto& store) { return store.param.name; });

}  // namespace
}  // namespace millrace
