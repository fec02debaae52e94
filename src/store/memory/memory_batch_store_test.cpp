#include "store/memory/memory_batch_store.hpp"

#include <gtest/gtest.h>

#include "store/memory/memory_database.hpp"
#include "support/instances.hpp"

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

TEST_F(MemoryBatchStoreTest, LetsBatchesOnDifferentRowsPass) {
    ASSERT_TRUE(late_->load({.instances = {instance_key(1)}}));
    ASSERT_TRUE(write(*early_, {}, {.instances_new = {waiting_instance(2)}}));
    EXPECT_TRUE(late_->apply({.instances_new = {waiting_instance(1)}}));
}

}  // namespace
}  // namespace millrace
