#include <cmath>

#include "engine/audited.hpp"
#include "engine/cancel_instance.hpp"
#include "queue/change_workspace.hpp"
#include "queue/delete_workspace.hpp"
#include "queue/get_queue.hpp"
#include "queue/get_workspace.hpp"
#include "queue/list_dead_letter_groups.hpp"
#include "queue/list_executions.hpp"
#include "queue/list_workspaces.hpp"
#include "support/queue_driver.hpp"

namespace millrace {
namespace {

class WorkspacesTest : public QueueTest {
protected:
    Result<Workspace> create(const std::string& id, WorkspaceChanges settings = {}) {
        return node_.run(
            CreateWorkspace{.id = {id}, .settings = std::move(settings), .plans = default_plans()});
    }

    Result<Workspace> change(const std::string& id, WorkspaceChanges changes) {
        return node_.run(ChangeWorkspace{{id}, std::move(changes), default_plans()});
    }

    CountedWork count(const WorkspaceId& id) {
        const auto counted = read(CountOpenWork{id}, node_.reader());
        EXPECT_TRUE(counted) << (counted ? "" : counted.error().detail);
        return counted ? *counted : CountedWork{};
    }

    Result<DeletedWorkspace> remove(const WorkspaceId& id) {
        return node_.run(DeleteWorkspace{count(id)});
    }
};

TEST_F(WorkspacesTest, AreMadeAndFound) {
    const auto made = create("beta", {.name = "Beta", .plan = "PRO", .weight = 3});
    ASSERT_TRUE(made);
    EXPECT_EQ(made->created_at, kNoon);
    EXPECT_EQ(*read(GetWorkspace{{"beta"}}, node_.reader()), *made);
    EXPECT_EQ(create("gamma")->plan, "FREE");
    EXPECT_EQ(create("delta")->name, "delta");
    const auto all = read(ListWorkspaces{}, node_.reader());
    ASSERT_TRUE(all);
    std::vector<std::string> ids;
    for (const Workspace& each : all->items) ids.push_back(each.id.value);
    EXPECT_EQ(ids, (std::vector<std::string>{"acme", "beta", "default", "delta", "gamma"}));
    EXPECT_EQ(create("beta").error().code, ErrorCode::conflict);
    EXPECT_EQ(read(GetWorkspace{{"nowhere"}}, node_.reader()).error().code, ErrorCode::not_found);
}

TEST_F(WorkspacesTest, SettingsAreChecked) {
    const auto refused = [&](const std::string& field, const WorkspaceChanges& settings) {
        for (const auto& answer : {create("new", settings), change("acme", settings)}) {
            ASSERT_FALSE(answer) << field;
            EXPECT_EQ(answer.error().code, ErrorCode::invalid_argument);
            ASSERT_EQ(answer.error().details.size(), 1U) << field;
            EXPECT_EQ(answer.error().details.front().path, field);
        }
    };
    refused("plan", {.plan = "PLATINUM"});
    refused("name", {.name = std::string(300, 'x')});
    refused("maxActive", {.max_active = -1});
    refused("maxPerKey", {.max_per_key = 0});
    refused("ratePerSecond", {.rate_per_second = 0.0});
    refused("ratePerSecond", {.rate_per_second = std::nan("")});
    refused("ratePerSecond", {.rate_per_second = 1e9});
    refused("maxAttempts", {.max_attempts = 0});
    refused("weight", {.weight = 0});
    const std::string too_long(64, 'a');
    for (const std::string& id : std::vector<std::string>{"", "-a", "A", "a_b", too_long}) {
        const auto made = create(id);
        ASSERT_FALSE(made) << id;
        EXPECT_EQ(made.error().code, ErrorCode::invalid_argument);
    }
    const auto several = create("new", {.plan = "X", .weight = 0});
    EXPECT_EQ(several.error().details.size(), 2U) << "all problems at once";
}

TEST_F(WorkspacesTest, ChangesTouchOnlyWhatTheyName) {
    ASSERT_TRUE(create("beta", {.plan = "PRO", .max_active = 9, .max_per_key = 2}));
    clock_.advance(1s);
    const auto changed = change("beta", {.max_active = std::optional<std::int32_t>{}, .weight = 2});
    ASSERT_TRUE(changed);
    EXPECT_FALSE(changed->max_active) << "its plan's again";
    EXPECT_EQ(changed->max_per_key, 2);
    EXPECT_EQ(changed->weight, 2);
    EXPECT_EQ(changed->changed_at, kNoon + 1s);
    clock_.advance(1s);
    EXPECT_EQ(change("beta", {.weight = 2})->changed_at, kNoon + 1s) << "nothing was changed";
    EXPECT_EQ(change("nowhere", {}).error().code, ErrorCode::not_found);
}

TEST_F(WorkspacesTest, APlanThatTheServerForgotIsNoObstacle) {
    ASSERT_TRUE(create("beta", {.plan = "PRO"}));
    EXPECT_TRUE(node_.run(ChangeWorkspace{{"beta"}, {.weight = 4}, {}}));
    EXPECT_FALSE(node_.run(ChangeWorkspace{{"beta"}, {.plan = "FREE"}, {}}));
}

TEST_F(WorkspacesTest, ChangesOfOneBatchAddUp) {
    ASSERT_TRUE(create("beta"));
    node_.queue().submit(ChangeWorkspace{{"beta"}, {.weight = 5}, default_plans()},
                         [](const auto& done) { EXPECT_TRUE(done); });
    const auto changed = change("beta", {.is_paused = true});
    EXPECT_EQ(changed->weight, 5);
    EXPECT_TRUE(changed->is_paused);
}

TEST_F(WorkspacesTest, OneInUseIsNotDeleted) {
    enqueue();
    enqueue();
    ASSERT_TRUE(node_.start("order"));
    const CountedWork counted = count(kWorkspace);
    EXPECT_EQ(counted.open.executions, 2);
    EXPECT_EQ(counted.open.instances, 1);
    const auto refused = node_.run(DeleteWorkspace{counted});
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, ErrorCode::conflict);
    EXPECT_NE(refused.error().detail.find("2 executions and 1 instance"), std::string::npos);
}

TEST_F(WorkspacesTest, OneIsDeletedOnlyAsItWasCounted) {
    ASSERT_TRUE(create("beta"));
    EXPECT_EQ(remove({"beta"}).error().code, ErrorCode::conflict) << "it is not paused";
    ASSERT_TRUE(change("beta", {.is_paused = true}));
    const CountedWork counted = count({"beta"});
    ASSERT_TRUE(change("beta", {.is_paused = false}));
    clock_.advance(1s);
    ASSERT_TRUE(change("beta", {.is_paused = true}));
    EXPECT_EQ(node_.run(DeleteWorkspace{counted}).error().code, ErrorCode::conflict)
        << "something may have been let in since";

    const auto deleted = node_.run(Audited<DeleteWorkspace>{
        {count({"beta"})}, AuditTrail{{AuditEntryId{next_key().id.value}, {"beta"}}}});
    ASSERT_TRUE(deleted);
    EXPECT_EQ(read(GetWorkspace{{"beta"}}, node_.reader()).error().code, ErrorCode::not_found);
    EXPECT_EQ(node_.run(DeleteWorkspace{counted}).error().code, ErrorCode::not_found);
    EXPECT_EQ(read(CountOpenWork{{"beta"}}, node_.reader()).error().code, ErrorCode::not_found);
    const auto audit = node_.reader().audit({.workspace_id = {"beta"}}, {});
    EXPECT_EQ(audit->items.front().kind, AuditKind::workspace_deleted);
}

// Found by the simulator: the upload found the definition that went with the workspace, and was
// told that it is there.
TEST_F(WorkspacesTest, AnUploadAfterADeletionIsNotLost) {
    ASSERT_TRUE(create("beta"));
    node_.upload(kQuickDefinition, {"beta"});
    ASSERT_TRUE(change("beta", {.is_paused = true}));
    node_.queue().submit(DeleteWorkspace{count({"beta"})},
                         [](const Result<DeletedWorkspace>& deleted) { EXPECT_TRUE(deleted); });
    node_.queue().submit(
        CreateWorkspace{
            .id = {"beta"}, .settings = {.plan = "UNLIMITED"}, .plans = default_plans()},
        [](const Result<Workspace>& created) { EXPECT_TRUE(created); });
    node_.upload(kQuickDefinition, {"beta"});
    const auto found = node_.reader().definitions({.workspace_id = {"beta"}}, {});
    ASSERT_TRUE(found);
    EXPECT_EQ(found->items.size(), 1u);
}

TEST_F(WorkspacesTest, TheDefaultOneStays) {
    ASSERT_TRUE(change("default", {.is_paused = true}));
    EXPECT_EQ(remove({"default"}).error().code, ErrorCode::conflict);
}

TEST_F(WorkspacesTest, WhatIsLeftBehindCanBeCancelled) {
    ASSERT_TRUE(change(kWorkspace.value, {.is_paused = true}));
    const CountedWork counted = count(kWorkspace);
    const InstanceKey late = node_.start("order")->key;
    ASSERT_TRUE(node_.run(DeleteWorkspace{counted}));
    const auto cancelled = node_.run(CancelInstance{.instance = late});
    ASSERT_TRUE(cancelled) << cancelled.error().detail;
    EXPECT_EQ(cancelled->status, InstanceStatus::cancelled);
}

TEST_F(WorkspacesTest, QueuesAreShown) {
    enqueue();
    enqueue();
    EnqueueExecution later = enqueueing();
    later.not_before = kNoon + 1h;
    enqueue(later);
    auto queue = read(GetQueue{kWorkspace}, node_.reader());
    ASSERT_TRUE(queue);
    EXPECT_EQ(queue->overview.counts.ready, 2);
    EXPECT_EQ(queue->overview.counts.due, 1);
    admit();
    fail_jobs();
    queue = read(GetQueue{kWorkspace}, node_.reader());
    EXPECT_EQ(queue->overview.counts.ready, 0);
    EXPECT_EQ(queue->dead_letters, 2);
    EXPECT_EQ(read(GetQueue{{"nowhere"}}, node_.reader()).error().code, ErrorCode::not_found);

    const auto groups = read(ListDeadLetterGroups{kWorkspace}, node_.reader());
    ASSERT_TRUE(groups);
    ASSERT_EQ(groups->size(), 1U);
    EXPECT_EQ(groups->front().count, 2);
    EXPECT_EQ(groups->front().reason, failure::kWorkflowFailed);
}

TEST_F(WorkspacesTest, ExecutionsAreFoundInTheirWorkspaceOnly) {
    const ExecutionKey key = enqueue().key;
    EXPECT_TRUE(read(GetExecution{key.id, kWorkspace}, node_.reader()));
    EXPECT_EQ(read(GetExecution{key.id, WorkspaceId{"default"}}, node_.reader()).error().code,
              ErrorCode::not_found);
    EXPECT_EQ(read(GetExecution{next_key().id, {}}, node_.reader()).error().code,
              ErrorCode::not_found);
    const auto listed = read(ListExecutions{{.workspace_id = kWorkspace}, {}}, node_.reader());
    EXPECT_EQ(listed->total, 1);
    const ExecutionFilter unstorable{.workspace_id = kWorkspace,
                                     .definition_id = std::string("\0", 1)};
    EXPECT_EQ(read(ListExecutions{unstorable, {}}, node_.reader())->total, 0);
}

TEST(OpenWorkText, CountsInWords) {
    EXPECT_EQ(to_text({.executions = 1}), "1 execution");
    EXPECT_EQ(to_text({.instances = 2}), "2 instances");
    EXPECT_EQ(to_text({.executions = 3, .instances = 1}), "3 executions and 1 instance");
}

}  // namespace
}  // namespace millrace
