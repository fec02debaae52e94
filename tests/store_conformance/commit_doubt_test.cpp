// Goal: after a COMMIT whose outcome nobody saw, resolve tells what became of the batch, and never
// guesses.
// Method: connections die right before or right after their COMMIT.

#include "store_conformance/store_test.hpp"

namespace millrace {
namespace {

class CommitDoubtConformance : public testing::TestWithParam<DoubtfulCandidate> {
protected:
    Status write(const Writes& writes) {
        const Result<LoadedRows> rows = store_->load({});
        return rows ? store_->apply(writes) : Status(rows.error());
    }

    bool is_stored(std::uint64_t n) {
        const auto instance = world_->database().reader()->instance(instance_key(n));
        EXPECT_TRUE(instance);
        return instance && instance->has_value();
    }

    std::unique_ptr<DoubtfulWorld> world_ = GetParam().make();
    std::unique_ptr<BatchStore> store_ = world_->database().batch_store();
};

const Writes kBatch{.instances_new = {waiting_instance(1)}, .jobs_new = {unlocked_job(1)}};

TEST_P(CommitDoubtConformance, TellsThatALostCommitDidNotTakePlace) {
    world_->cut_before_commit();
    EXPECT_EQ(code_of(write(kBatch)), ErrorCode::commit_unknown);
    world_->heal();
    EXPECT_EQ(*store_->resolve(), CommitOutcome::aborted);
    EXPECT_FALSE(is_stored(1));
    EXPECT_TRUE(write(kBatch));
    EXPECT_TRUE(is_stored(1));
}

TEST_P(CommitDoubtConformance, TellsThatACommitWithALostReplyTookPlace) {
    world_->cut_after_commit();
    EXPECT_EQ(code_of(write(kBatch)), ErrorCode::commit_unknown);
    world_->heal();
    EXPECT_EQ(*store_->resolve(), CommitOutcome::committed);
    EXPECT_TRUE(is_stored(1));
    EXPECT_TRUE(write({.instances_new = {waiting_instance(2)}}));
}

TEST_P(CommitDoubtConformance, AnswersUnavailableWhileNobodyCanTell) {
    world_->cut_before_commit();
    EXPECT_EQ(code_of(write(kBatch)), ErrorCode::commit_unknown);
    for (int n = 0; n < 3; ++n) {
        const Result<CommitOutcome> outcome = store_->resolve();
        ASSERT_FALSE(outcome);
        EXPECT_EQ(outcome.error().code, ErrorCode::unavailable);
    }
    world_->heal();
    EXPECT_EQ(*store_->resolve(), CommitOutcome::aborted);
}

TEST_P(CommitDoubtConformance, DoesNotTakeItsOwnMarkForTheBatchs) {
    world_->cut_before_commit();
    EXPECT_EQ(code_of(write(kBatch)), ErrorCode::commit_unknown);
    world_->heal();
    world_->cut_after_commit();
    const Result<CommitOutcome> lost = store_->resolve();
    ASSERT_FALSE(lost);
    EXPECT_EQ(lost.error().code, ErrorCode::unavailable);
    world_->heal();
    EXPECT_EQ(*store_->resolve(), CommitOutcome::aborted);
    EXPECT_FALSE(is_stored(1));
}

TEST_P(CommitDoubtConformance, TellsEachBatchItsOwnOutcome) {
    for (std::uint64_t n = 1; n <= 3; ++n) {
        ASSERT_TRUE(write({.instances_new = {waiting_instance(10 * n)}}));
        world_->cut_before_commit();
        EXPECT_EQ(code_of(write({.instances_new = {waiting_instance(10 * n + 1)}})),
                  ErrorCode::commit_unknown);
        world_->heal();
        EXPECT_EQ(*store_->resolve(), CommitOutcome::aborted);
        world_->cut_after_commit();
        EXPECT_EQ(code_of(write({.instances_new = {waiting_instance(10 * n + 2)}})),
                  ErrorCode::commit_unknown);
        world_->heal();
        EXPECT_EQ(*store_->resolve(), CommitOutcome::committed);
        EXPECT_FALSE(is_stored(10 * n + 1));
        EXPECT_TRUE(is_stored(10 * n + 2));
    }
}

TEST_P(CommitDoubtConformance, KeepsTheDoubtsOfTwoConnectionsApart) {
    const std::unique_ptr<BatchStore> other = world_->database().batch_store();
    world_->cut_after_commit();
    EXPECT_EQ(code_of(write(kBatch)), ErrorCode::commit_unknown);
    world_->heal();
    for (std::uint64_t n = 2; n <= 9; ++n) {
        ASSERT_TRUE(other->load({}));
        ASSERT_TRUE(other->apply({.instances_new = {waiting_instance(n)}}));
    }
    EXPECT_EQ(*store_->resolve(), CommitOutcome::committed);
}

TEST_P(CommitDoubtConformance, LeavesJobsOfALostClaimToTheirLeases) {
    ASSERT_TRUE(write(kBatch));
    const std::unique_ptr<JobClaimer> claimer = world_->database().job_claimer();
    const ClaimJobs request{
        .workspace_id = kWorkspace, .job_type = kCharge, .slots = {{kWorker, kLease}}, .now = [] {
            return kNoon;
        }};
    world_->cut_after_commit();
    const auto lost = claimer->claim_jobs(request);
    ASSERT_FALSE(lost);
    EXPECT_EQ(lost.error().code, ErrorCode::commit_unknown);
    world_->heal();
    EXPECT_TRUE(claimer->claim_jobs(request)->empty());
    EXPECT_EQ(*world_->database().reader()->expired_leases(kNoon + kLease, 9),
              std::vector{job_key(1)});
}

INSTANTIATE_TEST_SUITE_P(All, CommitDoubtConformance, testing::ValuesIn(kDoubtfulCandidates),
                         [](const auto& store) { return store.param.name; });

}  // namespace
}  // namespace millrace
