#include "store/memory/memory_batch_store.hpp"

#include <gtest/gtest.h>

#include "store/memory/memory_database.hpp"
#include "support/stored_executions.hpp"

namespace millrace {
namespace {

class MemoryBatchStoreTest : public testing::Test {
protected:
    static Status write(BatchStore& store, const Footprint& footprint, const Writes& writes) {
        const Result<LoadedRows> rows = store.load(footprint);
        return rows ? store.apply(writes) : Status(rows.error());
    }

    void expect_late(const Status& status) {
        ASSERT_FALSE(status);
        EXPECT_EQ(status.error().code, ErrorCode::unavailable);
    }

    MemoryDatabase database_;
    std::unique_ptr<BatchStore> early_ = database_.batch_store();
    std::unique_ptr<BatchStore> late_ = database_.batch_store();
};

TEST_F(MemoryBatchStoreTest, IsUnavailableWhenALoadedInstanceHasChanged) {
    const Footprint footprint{.instances = {instance_key(1)}};
    ASSERT_TRUE(late_->load(footprint));
    ASSERT_TRUE(write(*early_, footprint, {.instances_new = {waiting_instance(1)}}));
    expect_late(late_->apply({.jobs_new = {unlocked_job(1)}}));
    EXPECT_EQ(*database_.reader()->job(job_key(1)), std::nullopt);
}

TEST_F(MemoryBatchStoreTest, IsUnavailableWhenALoadedJobWasClaimed) {
    ASSERT_TRUE(write(*early_, {}, {.jobs_new = {unlocked_job(1)}}));
    ASSERT_TRUE(late_->load({.jobs = {job_key(1)}}));
    ASSERT_EQ(database_.job_claimer()
                  ->claim_jobs({.workspace_id = kWorkspace,
                                .job_type = kCharge,
                                .slots = {{kWorker, kLease}},
                                .now =
                                    [] {
                                        return kNoon;
                                    }})
                  ->size(),
              1u);
    expect_late(late_->apply({.jobs_removed = {job_key(1)}}));
}

TEST_F(MemoryBatchStoreTest, IsUnavailableWhenANameHasANewVersion) {
    const Footprint footprint{.uploads = {{kWorkspace, "order", "text"}}};
    ASSERT_TRUE(late_->load(footprint));
    ASSERT_TRUE(write(*early_, footprint, {.definitions = {definition_record()}}));
    expect_late(late_->apply({.definitions = {definition_record("order", 2)}}));
}

TEST_F(MemoryBatchStoreTest, IsUnavailableWhenALoadedExecutionHasChanged) {
    ASSERT_TRUE(write(*early_, {}, {.executions_new = {enqueued(pending_execution(1))}}));
    ASSERT_TRUE(late_->load({.executions = {execution_key(1)}}));
    ASSERT_TRUE(write(*early_, {}, {.executions_ended = {{.key = execution_key(1), .at = kNoon}}}));
    expect_late(late_->apply({.executions_changed = {claimed_execution(1)}}));
}

class MemoryAdmissionTest : public MemoryBatchStoreTest {
protected:
    MemoryAdmissionTest() {
        EXPECT_TRUE(write(*early_, {},
                          {.executions_new = {enqueued(pending_execution(1)), enqueued(parked())},
                           .workspaces = {workspace_named("acme"), workspace_named("globex")},
                           .lines = {{{"acme"}, {.is_runnable = true}}}}));
    }

    static Execution parked() {
        Execution execution = pending_execution(2);
        execution.concurrency_key = "k";
        execution.place = QueuePlace::parked;
        return execution;
    }

    Status load_admission() {
        AdmissionRequest request{.woken = {{"globex"}}, .woken_keys = {{kWorkspace, "k"}}};
        request.quota = [](const WorkspaceLine&, std::size_t) {
            return 100;
        };
        const Result<LoadedRows> rows = late_->load({.admission = std::move(request)});
        if (!rows) return rows.error();
        EXPECT_EQ(rows->admission.lines.size(), 2u);
        EXPECT_EQ(rows->admission.lines.at(0).ready.size(), 2u);
        return ok();
    }
};

// Two that see the same slots free must not both take them.
TEST_F(MemoryAdmissionTest, IsUnavailableWhenSomebodyElseHasLetIn) {
    ASSERT_TRUE(load_admission());
    ASSERT_TRUE(write(*early_, {}, {.lines = {{{"acme"}, {.is_runnable = true}}}}));
    expect_late(late_->apply({}));
}

TEST_F(MemoryAdmissionTest, IsUnavailableWhenALineWasWokenBySomebodyElse) {
    ASSERT_TRUE(load_admission());
    ASSERT_TRUE(write(*early_, {.admission = AdmissionRequest{.woken = {{"globex"}}}}, {}));
    expect_late(late_->apply({}));
}

TEST_F(MemoryAdmissionTest, IsUnavailableWhenAnItemHasChanged) {
    for (const std::uint64_t n : {1u, 2u}) {
        ASSERT_TRUE(load_admission());
        ASSERT_TRUE(
            write(*early_, {}, {.executions_changed = {n == 1 ? pending_execution(1) : parked()}}));
        expect_late(late_->apply({}));
    }
}

TEST_F(MemoryAdmissionTest, IsUnavailableWhenAWorkspaceIsGone) {
    ASSERT_TRUE(load_admission());
    ASSERT_TRUE(write(*early_, {}, {.workspaces_removed = {{"globex"}}}));
    expect_late(late_->apply({}));
}

TEST_F(MemoryAdmissionTest, LetsEndsAndArrivalsPass) {
    ASSERT_TRUE(write(*early_, {}, {.executions_new = {enqueued(claimed_execution(3))}}));
    ASSERT_TRUE(load_admission());
    ASSERT_TRUE(write(*early_, {},
                      {.executions_new = {enqueued(pending_execution(4))},
                       .executions_ended = {{.key = execution_key(3), .at = kNoon}}}));
    EXPECT_TRUE(late_->apply({}));
}

TEST_F(MemoryBatchStoreTest, LetsBatchesOnDifferentRowsPass) {
    ASSERT_TRUE(late_->load({.instances = {instance_key(1)}}));
    ASSERT_TRUE(write(*early_, {}, {.instances_new = {waiting_instance(2)}}));
    EXPECT_TRUE(late_->apply({.instances_new = {waiting_instance(1)}}));
}

}  // namespace
}  // namespace millrace
