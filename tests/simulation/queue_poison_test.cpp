// Goal: an execution whose start brings about what a store can never keep fails alone, with a
// reason; all others of its batch go on.
// Method: a store that refuses instances with a certain variable, as a constraint of an operator
// would. They stand among others, in one workspace and in several. With real constraints, through
// the API: PoisonTest of tests/e2e/queue_test.py.

#include <gtest/gtest.h>

#include "queue/create_workspace.hpp"
#include "store_conformance/world.hpp"
#include "support/forwarding_database.hpp"
#include "support/remote_node.hpp"

namespace millrace {
namespace {

constexpr std::string_view kQuick = R"({"id": "order", "name": "Order", "steps": [
    {"id": "end", "name": "E", "type": "END"}]})";
constexpr const char* kPoison = R"({"poison":true})";

class PickyStore final : public BatchStore {
public:
    explicit PickyStore(std::unique_ptr<BatchStore> inner) : inner_(std::move(inner)) {}

    Result<LoadedRows> load(const Footprint& footprint) override { return inner_->load(footprint); }
    Result<LoadedRows> extend(const Footprint& more) override { return inner_->extend(more); }
    Status apply(const Writes& writes) override {
        const bool is_refused = std::ranges::any_of(
            writes.instances_new,
            [](const Instance& instance) { return instance.variables.text() == kPoison; });
        if (!is_refused) return inner_->apply(writes);
        inner_->abandon();
        return Error{ErrorCode::data_refused, "injected"};
    }
    void abandon() override { inner_->abandon(); }
    Result<CommitOutcome> resolve() override { return inner_->resolve(); }

private:
    std::unique_ptr<BatchStore> inner_;
};

class PickyDatabase final : public ForwardingDatabase {
public:
    using ForwardingDatabase::ForwardingDatabase;

    std::unique_ptr<BatchStore> batch_store() override {
        return std::make_unique<PickyStore>(inner().batch_store());
    }
};

class QueuePoison : public testing::TestWithParam<Candidate> {
protected:
    void make_workspace(const std::string& id) {
        ASSERT_TRUE(node_.run(CreateWorkspace{
            .id = {id}, .settings = {.plan = "UNLIMITED"}, .plans = default_plans()}));
        node_.upload(kQuick, {id});
    }

    ExecutionKey enqueue(const std::string& workspace, bool is_poison) {
        const ExecutionKey key = execution_key(++count_, workspace);
        const auto made = node_.run(EnqueueExecution{
            .key = key,
            .definition_id = "order",
            .input = Variables::from_text(is_poison ? kPoison : "{}"),
        });
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
    PickyDatabase database_{world_->database()};
    RemoteNode node_{database_, clock_, {}};
    std::uint64_t count_ = 0;
};

TEST_P(QueuePoison, FailsAloneAmongOthersOfItsWorkspace) {
    make_workspace("one");
    std::vector<ExecutionKey> good;
    std::vector<ExecutionKey> bad;
    for (int number = 0; number < 20; ++number) {
        const bool is_bad = number == 7 || number == 8 || number == 19;
        (is_bad ? bad : good).push_back(enqueue("one", is_bad));
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
        bad.push_back(enqueue(workspace, true));
        for (int number = 0; number < 3; ++number) good.push_back(enqueue(workspace, false));
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
