#include <gtest/gtest.h>

#include "core/limits.hpp"
#include "scheduler/audit_sweep.hpp"
#include "scheduler/execution_sweep.hpp"
#include "scheduler/instance_sweep.hpp"
#include "store/memory/memory_database.hpp"
#include "support/faulty_database.hpp"
#include "support/instances.hpp"
#include "support/test_node.hpp"

namespace millrace {
namespace {

using Subject = RetentionRules::Subject;

// A database with finished and open instances of some age, and a committer without a thread.
class RetentionTest : public testing::Test {
protected:
    void SetUp() override {
        DefinitionRecord foreign = definition_record();
        foreign.workspace_id = kForeign;
        apply({.definitions = {definition_record("import"), definition_record(), foreign}});
    }

    void apply(const Writes& writes) {
        const auto store = memory_.batch_store();
        ASSERT_TRUE(store->load({}));
        ASSERT_TRUE(store->apply(writes));
    }

    // An instance that ended then, a minute after its start; open without `ended_at`.
    InstanceKey add(std::optional<Instant> ended_at, const std::string& definition_id = "order",
                    const WorkspaceId& workspace_id = kWorkspace) {
        Instance row = waiting_instance(0, {.row_id = 1, .id = definition_id});
        const Instant started_at = ended_at.value_or(kNoon - 1000h) - 1min;
        row.key = {{Id128::for_instance(started_at, ++last_)}, workspace_id};
        row.started_at = started_at;
        if (ended_at) row.status = InstanceStatus::completed;
        row.completed_at = ended_at;
        apply({.instances_new = {row}});
        return row.key;
    }

    // An execution that ended then, a minute after it was enqueued; open without `ended_at`.
    ExecutionKey add_execution(std::optional<Instant> ended_at) {
        const Instant created_at = ended_at.value_or(kNoon - 1000h) - 1min;
        Execution row{.key = {{Id128::for_instance(created_at, ++last_)}, kWorkspace},
                      .definition = {.row_id = 1, .id = "order", .version = 1},
                      .created_at = created_at,
                      .completed_at = ended_at};
        if (ended_at) row.queue_status = QueueStatus::failed;
        apply({.executions_new = {{.execution = row}}});
        return row.key;
    }

    AuditKey add_audit(Instant at, const WorkspaceId& workspace_id = kWorkspace) {
        const AuditKey key{{Id128::for_instance(at, ++last_)}, workspace_id};
        apply({.audit_entries = {{.key = key, .at = at, .kind = AuditKind::key_created}}});
        return key;
    }

    void begin(std::string_view rules) {
        const RetentionRules read = *RetentionRules::parse(rules, Subject::instances);
        sweep_ = std::make_unique<InstanceSweep>(read, node_.reader(), node_.queue());
        loop_.emplace(*sweep_, *read.shortest(), clock_, [this] { wakes_ += 1; });
    }

    void begin_audit(std::string_view rules) {
        const RetentionRules read = *RetentionRules::parse(rules, Subject::audit);
        sweep_ = std::make_unique<AuditSweep>(read, node_.reader(), node_.queue());
        loop_.emplace(*sweep_, *read.shortest(), clock_, [this] { wakes_ += 1; });
    }

    void begin_executions(std::string_view rules) {
        const RetentionRules read = *RetentionRules::parse(rules, Subject::instances);
        sweep_ = std::make_unique<ExecutionSweep>(read, node_.reader(), node_.queue());
        loop_.emplace(*sweep_, *read.shortest(), clock_, [this] { wakes_ += 1; });
    }

    // Until the loop rests for longer than a moment.
    Round run_pass() {
        for (int round = 0; round < 1'000; ++round) {
            const Round done = loop_->run_once();
            node_.commit();
            const bool rests = done.next_at && *done.next_at > clock_.now();
            if (rests || done.unhealthy) return done;
        }
        ADD_FAILURE() << "the pass does not end";
        return {};
    }

    bool exists(const InstanceKey& key) { return node_.reader().instance(key)->has_value(); }

    bool exists(const ExecutionKey& key) { return node_.reader().execution(key.id)->has_value(); }

    std::int64_t audit_total(const WorkspaceId& workspace_id = kWorkspace) {
        return node_.reader().audit({.workspace_id = workspace_id}, {})->total;
    }

    inline static const WorkspaceId kForeign{"globex"};
    FakeClock clock_{kNoon};
    MemoryDatabase memory_;
    FaultPlan plan_;
    FaultyDatabase database_{memory_, plan_};
    TestNode node_{database_, clock_};
    std::unique_ptr<Sweep> sweep_;
    std::optional<SweepLoop> loop_;
    std::uint64_t last_ = 0;
    int wakes_ = 0;
};

TEST_F(RetentionTest, RemovesWhatHasEndedBeforeItsRuleAndNothingElse) {
    const InstanceKey old = add(kNoon - 25h);
    const InstanceKey young = add(kNoon - 24h);
    const InstanceKey open = add(std::nullopt);
    begin("P1D");
    EXPECT_EQ(run_pass().next_at, kNoon + 24h);
    EXPECT_FALSE(exists(old));
    EXPECT_TRUE(exists(young));
    EXPECT_TRUE(exists(open));
}

TEST_F(RetentionTest, EachDefinitionHasItsRule) {
    const InstanceKey order = add(kNoon - 30h);
    const InstanceKey import = add(kNoon - 30h, "import");
    const InstanceKey foreign = add(kNoon - 30h, "order", kForeign);
    begin("keep,*/order=P1D,globex/order=P2D");
    run_pass();
    EXPECT_FALSE(exists(order));
    EXPECT_TRUE(exists(import));
    EXPECT_TRUE(exists(foreign));
}

TEST_F(RetentionTest, OldOpenInstancesDoNotHideFinishedOnes) {
    for (int n = 0; n <= limits::kRetentionLookedMax; ++n) add(std::nullopt);
    const InstanceKey old = add(kNoon - 25h);
    begin("P1D");
    run_pass();
    EXPECT_FALSE(exists(old));
}

TEST_F(RetentionTest, RemovesInSmallBatches) {
    for (std::size_t n = 0; n < 2 * limits::kInstancesRemovedMax + 1; ++n) add(kNoon - 25h);
    begin("P1D");
    run_pass();
    // 8, 16, 32, 64, 128 and the rest: it begins small, for nobody knows how long histories are.
    EXPECT_EQ(node_.listener().batch_sizes.size(), 6u);
    EXPECT_EQ(wakes_, 6);
    EXPECT_EQ(node_.reader().instances({.workspace_id = kWorkspace}, {})->total, 0);
}

TEST_F(RetentionTest, BatchesShrinkUntilTheyPass) {
    for (int n = 0; n < 50; ++n) add(kNoon - 25h);
    begin("P1D");
    plan_.instances_max = 3;  // More takes longer than a statement may.
    run_pass();
    EXPECT_EQ(node_.reader().instances({.workspace_id = kWorkspace}, {})->total, 0);
}

TEST_F(RetentionTest, WhatCanNeverBeRemovedIsToldAndReadPast) {
    for (int n = 0; n < 3; ++n) add(kNoon - 25h);
    const RetentionRules rules = *RetentionRules::parse("P1D", Subject::instances);
    std::vector<Id128> told;
    sweep_ = std::make_unique<InstanceSweep>(
        rules, node_.reader(), node_.queue(),
        [&](const WorkspaceId&, Id128 id, const Error&) { told.push_back(id); });
    loop_.emplace(*sweep_, *rules.shortest(), clock_, [] {});
    plan_.instances_max = 0;
    EXPECT_EQ(run_pass().next_at, kNoon + 24h) << "the pass comes to its end";
    EXPECT_EQ(told.size(), 3u);
}

TEST_F(RetentionTest, APassBeginsAgainWhenItIsTime) {
    begin("P1D");
    run_pass();
    const InstanceKey old = add(kNoon - 25h);
    clock_.advance(24h - 1us);
    EXPECT_EQ(loop_->run_once().next_at, kNoon + 24h);
    node_.commit();
    EXPECT_TRUE(exists(old));
    clock_.advance(1us);
    run_pass();
    EXPECT_FALSE(exists(old));
}

TEST_F(RetentionTest, OneBatchAtATime) {
    add(kNoon - 25h);
    begin("P1D");
    while (node_.queue().waiting() == 0) loop_->run_once();
    EXPECT_EQ(loop_->run_once(), Round{});
    EXPECT_EQ(node_.queue().waiting(), 1u);
}

TEST_F(RetentionTest, WhatCouldNotBeRemovedIsTriedAgainLater) {
    const InstanceKey old = add(kNoon - 25h);
    begin("P1D");
    plan_ = {.fault = Fault::refused, .first = 1, .count = 1'000};
    while (node_.queue().waiting() == 0) loop_->run_once();
    node_.give_up();
    EXPECT_EQ(loop_->run_once().next_at, clock_.now() + 1min);
    EXPECT_TRUE(exists(old));
    plan_ = {};
    clock_.advance(1min);
    run_pass();
    EXPECT_FALSE(exists(old));
}

TEST_F(RetentionTest, RulesLongerThanTimeItselfRemoveNothing) {
    const InstanceKey old = add(kNoon - 25h);
    begin("P100Y");
    run_pass();
    EXPECT_TRUE(exists(old));
}

TEST_F(RetentionTest, ExecutionsThatHaveEndedGoByTheSameRules) {
    const ExecutionKey old = add_execution(kNoon - 25h);
    const ExecutionKey young = add_execution(kNoon - 24h);
    const ExecutionKey open = add_execution(std::nullopt);
    begin_executions("P1D");
    EXPECT_EQ(run_pass().next_at, kNoon + 24h);
    EXPECT_FALSE(exists(old));
    EXPECT_TRUE(exists(young));
    EXPECT_TRUE(exists(open));
}

// Its definitions are gone with it: nothing else tells that there is something left.
TEST_F(RetentionTest, WhatADeletedWorkspaceHasLeftExpiresToo) {
    const ExecutionKey execution = add_execution(kNoon - 25h);
    const InstanceKey instance = add(kNoon - 25h);
    const InstanceKey young = add(kNoon - 1h);
    apply({.workspaces_removed = {kWorkspace}});
    begin_executions("P1D");
    run_pass();
    EXPECT_FALSE(exists(execution));
    begin("P1D");
    run_pass();
    EXPECT_FALSE(exists(instance));
    EXPECT_TRUE(exists(young));
}

TEST_F(RetentionTest, AuditEntriesGoWhenTheRuleOfTheirWorkspaceSaysSo) {
    add_audit(kNoon - 25h);
    add_audit(kNoon - 24h);
    add_audit(kNoon - 25h, kForeign);
    begin_audit("keep,acme=P1D");
    EXPECT_EQ(run_pass().next_at, kNoon + 24h);
    EXPECT_EQ(audit_total(), 1);
    EXPECT_EQ(audit_total(kForeign), 1);
}

TEST_F(RetentionTest, AuditEntriesGoInBatches) {
    for (int n = 0; n <= limits::kAuditRemovedMax; ++n) add_audit(kNoon - 25h);
    add_audit(kNoon - 25h, kForeign);
    begin_audit("P1D");
    run_pass();
    EXPECT_EQ(node_.listener().batch_sizes.size(), 3u);
    EXPECT_EQ(audit_total() + audit_total(kForeign), 0);
}

TEST(SweepInterval, IsAPartOfTheShortestTime) {
    EXPECT_EQ(sweep_interval(1s), 1s);
    EXPECT_EQ(sweep_interval(10min), 1min);
    EXPECT_EQ(sweep_interval(8760h), 1h);
}

}  // namespace
}  // namespace millrace
