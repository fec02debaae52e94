// What stores promise about what expires: it is found step by step, and goes with all that belongs
// to it.

#include "store_conformance/store_test.hpp"
#include "support/stored_executions.hpp"

namespace millrace {
namespace {

class RetentionConformance : public StoreTest {
protected:
    // Instance n with a line of history and a user task that is over.
    static Writes finished(std::uint64_t n) {
        Instance instance = waiting_instance(n, {.row_id = 1, .id = "order"});
        instance.status = InstanceStatus::completed;
        instance.completed_at = kNoon + std::chrono::seconds{n};
        UserTask task = open_user_task(n);
        task.status = UserTaskState::completed;
        return {.instances_new = {instance},
                .user_tasks_new = {task},
                .step_executions = {closed_step(n), closed_step(n, 7)}};
    }

    Id128 id_of(std::uint64_t n) { return instance_key(n).id.value; }
};

TEST_P(RetentionConformance, AnInstanceGoesWithItsHistoryAndItsUserTasks) {
    for (const std::uint64_t n : {1u, 2u, 3u}) ASSERT_TRUE(write(finished(n)));
    ASSERT_TRUE(write({.instances_removed = {instance_key(2)}}));
    EXPECT_EQ(read(instance_key(2)), std::nullopt);
    EXPECT_EQ(read(step_execution_key(2, 1)), std::nullopt);
    EXPECT_EQ(read(step_execution_key(2, 7)), std::nullopt);
    EXPECT_EQ(read(user_task_key(2)), std::nullopt);
    EXPECT_EQ(*reader_->history(instance_key(2)), std::nullopt);
    for (const std::uint64_t n : {1u, 3u}) {
        EXPECT_TRUE(read(instance_key(n)));
        EXPECT_TRUE(read(step_execution_key(n, 1)));
        EXPECT_TRUE(read(step_execution_key(n, 7)));
        EXPECT_TRUE(read(user_task_key(n)));
    }
}

TEST_P(RetentionConformance, ManyGoAtOnceAndOneThatIsGoneIsFine) {
    for (const std::uint64_t n : {1u, 2u, 3u}) ASSERT_TRUE(write(finished(n)));
    ASSERT_TRUE(write({.instances_removed = {instance_key(1), instance_key(3), instance_key(9)}}));
    EXPECT_EQ(reader_->instances({.workspace_id = kWorkspace}, {})->total, 1);
    EXPECT_EQ(reader_->user_tasks({.workspace_id = kWorkspace}, {})->total, 1);
}

TEST_P(RetentionConformance, RemovesNothingOfAnotherWorkspace) {
    Writes foreign = finished(1);
    foreign.instances_new = {moved_away(foreign.instances_new[0])};
    foreign.user_tasks_new = {moved_away(foreign.user_tasks_new[0])};
    foreign.step_executions = {moved_away(foreign.step_executions[0])};
    ASSERT_TRUE(write(foreign));
    ASSERT_TRUE(write(finished(1)));
    ASSERT_TRUE(write({.instances_removed = {instance_key(1)}}));
    EXPECT_TRUE(read(foreign.instances_new[0].key));
    EXPECT_TRUE(read(foreign.user_tasks_new[0].key));
    EXPECT_TRUE(read(foreign.step_executions[0].key));
}

TEST_P(RetentionConformance, ARemovalIsThereIfAndOnlyIfItsBatchIs) {
    ASSERT_TRUE(write(finished(1)));
    EXPECT_EQ(code_of(write({.instances_new = {waiting_instance(1)},
                             .instances_removed = {instance_key(1)}})),
              ErrorCode::data_refused);
    EXPECT_TRUE(read(instance_key(1)));
    EXPECT_TRUE(read(step_execution_key(1, 1)));
}

TEST_P(RetentionConformance, TellsWhenInstancesOfADefinitionHaveEnded) {
    for (const std::uint64_t n : {1u, 2u, 4u}) ASSERT_TRUE(write(finished(n)));
    Writes others = finished(5);
    others.instances_new[0].definition.id = "import";
    ASSERT_TRUE(write(others));
    Writes foreign = finished(6);
    foreign.instances_new[0].key.workspace_id = kOtherWorkspace;
    ASSERT_TRUE(write(foreign));
    ASSERT_TRUE(write({.instances_new = {waiting_instance(3, {.row_id = 1, .id = "order"})}}));

    using Ends = std::vector<InstanceEnd>;
    const InstanceEnd first{{id_of(1)}, kNoon + 1s};
    const InstanceEnd second{{id_of(2)}, kNoon + 2s};
    const InstanceEnd open{{id_of(3)}, std::nullopt};
    const InstanceEnd last{{id_of(4)}, kNoon + 4s};
    const DefinitionName order{kWorkspace, "order"};
    const auto ends = [&](Id128 after, Id128 before, std::int32_t count_max) {
        return *reader_->instance_ends(order, {after}, {before}, count_max);
    };
    EXPECT_EQ(ends({}, id_of(9), 10), (Ends{first, second, open, last}));
    EXPECT_EQ(ends({}, id_of(9), 2), (Ends{first, second}));
    EXPECT_EQ(ends(id_of(2), id_of(9), 10), (Ends{open, last}));
    EXPECT_EQ(ends({}, id_of(4), 10), (Ends{first, second, open}));
}

TEST_P(RetentionConformance, GoesFromDefinitionToDefinition) {
    DefinitionRecord foreign = definition_record("audit");
    foreign.workspace_id = kOtherWorkspace;
    ASSERT_TRUE(write({.definitions = {definition_record("order", 1), definition_record("order", 2),
                                       definition_record("import"), foreign}}));
    using Next = std::optional<DefinitionName>;
    EXPECT_EQ(*reader_->next_definition({}), (Next{{kOtherWorkspace, "audit"}}));
    EXPECT_EQ(*reader_->next_definition({kOtherWorkspace, "audit"}),
              (Next{{kWorkspace, "import"}}));
    EXPECT_EQ(*reader_->next_definition({kWorkspace, "import"}), (Next{{kWorkspace, "order"}}));
    EXPECT_EQ(*reader_->next_definition({kWorkspace, "order"}), Next{});
}

// A deleted workspace takes its definitions along and leaves what has ended.
TEST_P(RetentionConformance, GoesToDefinitionsThatAreGoneAndHaveLeftSomething) {
    Instance instance = waiting_instance(1);
    instance.definition.id = "gone";
    Execution execution = execution_in(QueueStatus::completed, 2);
    execution.definition.id = "lost";
    ASSERT_TRUE(write({.instances_new = {instance, moved_away(instance)},
                       .definitions = {definition_record("known")},
                       .executions_new = {{.execution = execution}}}));
    using Next = std::optional<DefinitionName>;
    EXPECT_EQ(*reader_->next_definition({}), (Next{{kWorkspace, "gone"}}));
    EXPECT_EQ(*reader_->next_definition({kWorkspace, "gone"}), (Next{{kOtherWorkspace, "gone"}}));
    EXPECT_EQ(*reader_->next_definition({kOtherWorkspace, "gone"}), (Next{{kWorkspace, "known"}}));
    EXPECT_EQ(*reader_->next_definition({kWorkspace, "known"}), (Next{{kWorkspace, "lost"}}));
    EXPECT_EQ(*reader_->next_definition({kWorkspace, "lost"}), Next{});
}

TEST_P(RetentionConformance, AuditEntriesAreFoundByAgeAndRemoved) {
    std::vector<AuditEntry> entries;
    for (const std::uint64_t n : {1u, 2u, 3u}) {
        entries.push_back({.key = {{id_of(n)}, kWorkspace}, .kind = AuditKind::key_created});
    }
    entries.push_back({.key = {{id_of(1)}, kOtherWorkspace}, .kind = AuditKind::key_created});
    ASSERT_TRUE(write({.audit_entries = entries}));

    using Next = std::optional<WorkspaceId>;
    EXPECT_EQ(*reader_->next_audited_workspace({}), Next{kWorkspace});
    EXPECT_EQ(*reader_->next_audited_workspace(kWorkspace), Next{kOtherWorkspace});
    EXPECT_EQ(*reader_->next_audited_workspace(kOtherWorkspace), Next{});

    using Keys = std::vector<AuditKey>;
    const Keys old{entries[0].key, entries[1].key};
    EXPECT_EQ(*reader_->oldest_audit_entries(kWorkspace, {id_of(3)}, 10), old);
    EXPECT_EQ(*reader_->oldest_audit_entries(kWorkspace, {id_of(3)}, 1), Keys{old[0]});
    ASSERT_TRUE(write({.audit_removed = old}));
    EXPECT_EQ(*reader_->oldest_audit_entries(kWorkspace, {id_of(9)}, 10), Keys{entries[2].key});
    EXPECT_EQ(reader_->audit({kOtherWorkspace}, {})->total, 1);
    EXPECT_TRUE(write({.audit_removed = old})) << "they are gone already";
}

MILLRACE_FOR_ALL_STORES(RetentionConformance);

}  // namespace
}  // namespace millrace
