// Goal: an input, or a whole row, that no program of ours can read fails alone, with INVALID_INPUT,
// wherever it was to run; all others go on.
// Method: such inputs come as millrace_enqueue, or an older program, would leave them; rows are
// spoiled by SQL.

#include <gtest/gtest.h>

#include "queue/create_workspace.hpp"
#include "store_conformance/world.hpp"
#include "support/remote_node.hpp"

namespace millrace {
namespace {

constexpr std::string_view kHere = R"({"id": "here", "name": "Here", "steps": [
    {"id": "way", "name": "W", "type": "DECISION", "conditionalNextSteps": {"true": "end"}},
    {"id": "end", "name": "E", "type": "END"}]})";
constexpr std::string_view kElsewhere = R"({"id": "elsewhere", "name": "Elsewhere",
    "executor": {"kind": "temporal", "target": "main", "taskQueue": "q", "workflowType": "w"}})";

class QueueInvalidInput : public testing::TestWithParam<Candidate> {
protected:
    void make_workspace(const std::string& id) {
        ASSERT_TRUE(node_.run(CreateWorkspace{
            .id = {id}, .settings = {.plan = "UNLIMITED"}, .plans = default_plans()}));
        node_.upload(kHere, {id});
        node_.upload(kElsewhere, {id});
    }

    ExecutionKey enqueue(const std::string& workspace, const std::string& definition,
                         std::string input, std::string requested_by = {}) {
        const ExecutionKey key = execution_key(++count_, workspace);
        const auto made = node_.run(EnqueueExecution{
            .key = key,
            .definition_id = definition,
            .input = Variables::from_text(std::move(input)),
            .requested_by = std::move(requested_by),
        });
        EXPECT_TRUE(made) << made.error().detail;
        return key;
    }

    void settle() {
        for (int second = 0; second < 5; ++second) {
            clock_.advance(1s);
            node_.settle();
        }
    }

    void expect_invalid(const ExecutionKey& key) {
        const Execution execution = node_.execution(key);
        EXPECT_EQ(to_string(execution.queue_status), "FAILED");
        EXPECT_EQ(execution.error_reason, failure::kInvalidInput);
        EXPECT_FALSE(execution.error_message.empty());
        const auto instance = node_.reader().instance({InstanceId{key.id.value}, key.workspace_id});
        EXPECT_TRUE(instance && !*instance) << "nothing was started";
    }

    FakeClock clock_{kNoon};
    std::unique_ptr<World> world_ = GetParam().make();
    RemoteNode node_{world_->database(), clock_, {}};
    std::uint64_t count_ = 0;
};

TEST_P(QueueInvalidInput, FailsAloneOnEveryExecutor) {
    make_workspace("one");
    make_workspace("two");
    const std::string bad_inputs[] = {
        R"({"a":1,"a":2})",
        R"({"a":1e999})",
        R"({"a":"\ud800"})",
        R"({"a":)" + std::string(200, '[') + std::string(200, ']') + "}",
        "[]",
    };
    std::vector<ExecutionKey> good;
    std::vector<ExecutionKey> bad;
    for (const std::string& input : bad_inputs) {
        good.push_back(enqueue("one", "here", "{}"));
        bad.push_back(enqueue("one", "here", input));
        bad.push_back(enqueue("one", "elsewhere", input));
        good.push_back(enqueue("two", "here", R"({"a":1})"));
    }
    settle();
    for (const ExecutionKey& key : good) EXPECT_EQ(node_.status(key), "COMPLETED");
    for (const ExecutionKey& key : bad) expect_invalid(key);
    EXPECT_TRUE(node_.reader().slot_holders({"one"}, "", 10)->empty());
}

INSTANTIATE_TEST_SUITE_P(All, QueueInvalidInput, testing::ValuesIn(kCandidates),
                         [](const auto& store) { return store.param.name; });

class QueueUnreadableRow : public QueueInvalidInput {};

TEST_P(QueueUnreadableRow, FailsAloneAndOthersAreLetIn) {
    make_workspace("one");
    make_workspace("two");
    node_.dispatches = false;
    const ExecutionKey bad = enqueue("one", "here", "{}", "spoiled");
    const ExecutionKey mate = enqueue("one", "here", "{}");
    const ExecutionKey other = enqueue("two", "here", "{}");
    world_->spoil("execution", "executor = 'steam'", "requested_by = 'spoiled'");
    node_.dispatches = true;
    settle();
    EXPECT_EQ(node_.status(mate), "COMPLETED");
    EXPECT_EQ(node_.status(other), "COMPLETED");
    world_->spoil("execution", "executor = 'native'", "requested_by = 'spoiled'");
    expect_invalid(bad);
}

INSTANTIATE_TEST_SUITE_P(Sql, QueueUnreadableRow, testing::ValuesIn(kSqlCandidates),
                         [](const auto& store) { return store.param.name; });

}  // namespace
}  // namespace millrace
