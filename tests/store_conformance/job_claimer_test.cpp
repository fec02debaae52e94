// The definition of JobClaimer.

#include "store_conformance/store_test.hpp"

namespace millrace {
namespace {

class JobClaimerConformance : public StoreTest {
protected:
    std::vector<DeliveredJob> claim_for(std::vector<ClaimSlot> slots, std::int64_t seq_after = 0,
                                        const WorkspaceId& workspace_id = kWorkspace,
                                        std::int64_t bytes_max = limits::kPollBytesMax) {
        const auto delivered = claimer_->claim_jobs({.workspace_id = workspace_id,
                                                     .job_type = kCharge,
                                                     .seq_after = seq_after,
                                                     .slots = std::move(slots),
                                                     .bytes_max = bytes_max,
                                                     .now = [] {
                                                         return kNoon;
                                                     }});
        EXPECT_TRUE(delivered) << delivered.error().detail;
        return delivered ? *delivered : std::vector<DeliveredJob>{};
    }
};

constexpr std::uint64_t kFirst = 1;

std::vector<ClaimSlot> slots(std::size_t count) {
    return {count, ClaimSlot{kWorker, kLease}};
}

std::vector<JobKey> keys_of(const std::vector<DeliveredJob>& delivered) {
    std::vector<JobKey> keys;
    for (const DeliveredJob& item : delivered) keys.push_back(item.job.key);
    return keys;
}

TEST_P(JobClaimerConformance, ClaimsAsTheCoreDoes) {
    Job job = unlocked_job(1);
    job.first_sequence = 7;
    ASSERT_TRUE(write({.instances_new = {waiting_instance(1)}, .jobs_new = {job}}));
    const Job expected = *claim(read(job_key(1)).value(), kWorker, kLease, kNoon);

    const std::vector<DeliveredJob> delivered = claim_for(slots(9));
    EXPECT_EQ(delivered, (std::vector<DeliveredJob>{{expected, waiting_instance(1).variables}}));
    EXPECT_EQ(read(job_key(1)), expected);
    EXPECT_TRUE(claim_for(slots(9)).empty());
}

TEST_P(JobClaimerConformance, RaisesTheTokenOfAJobThatWasClaimedBefore) {
    Job job = unlocked_job(1);
    job.lease_token = 41;
    ASSERT_TRUE(write({.jobs_new = {job}}));
    EXPECT_EQ(claim_for(slots(1)).at(0).job.lease_token, 42);
}

TEST_P(JobClaimerConformance, DeliversTheVariablesAtTheJobsCreation) {
    Job with_snapshot = unlocked_job(1);
    with_snapshot.variables = Variables::from_text(R"({"then":"größer"})");
    Instance changed = waiting_instance(1);
    changed.variables = Variables::from_text(R"({"now":2})");
    ASSERT_TRUE(write({.instances_new = {changed, waiting_instance(2)},
                       .jobs_new = {with_snapshot, unlocked_job(2)}}));

    const std::vector<DeliveredJob> delivered = claim_for(slots(2));
    ASSERT_EQ(delivered.size(), 2u);
    EXPECT_EQ(delivered[0].variables, *with_snapshot.variables);
    EXPECT_EQ(delivered[0].job.variables, with_snapshot.variables);
    EXPECT_EQ(delivered[1].variables, waiting_instance(2).variables);
    EXPECT_EQ(delivered[1].job.variables, std::nullopt);
}

// {"a":"…"} has eight bytes besides.
TEST_P(JobClaimerConformance, EndsWithTheJobWhoseVariablesReachTheBytes) {
    const auto of_bytes = [](std::size_t bytes) {
        return Variables::from_text(R"({"a":")" + std::string(bytes - 8, 'x') + R"("})");
    };
    std::vector<Instance> instances;
    std::vector<Job> jobs;
    for (std::uint64_t n = 1; n <= 5; ++n) {
        instances.push_back(waiting_instance(n));
        instances.back().variables = of_bytes(100'000);
        jobs.push_back(unlocked_job(n));
    }
    jobs[1].variables = of_bytes(300'000);  // Not those of its instance.
    ASSERT_TRUE(write({.instances_new = instances, .jobs_new = {jobs[0]}}));
    for (std::size_t i = 1; i < jobs.size(); ++i) ASSERT_TRUE(write({.jobs_new = {jobs[i]}}));

    using Keys = std::vector<JobKey>;
    const auto claimed = [&](std::int64_t bytes_max) {
        return keys_of(claim_for(slots(9), 0, kWorkspace, bytes_max));
    };
    EXPECT_EQ(claimed(100'001), (Keys{job_key(1), job_key(2)}));
    EXPECT_EQ(read(job_key(3)).value().status, JobState::unlocked);
    EXPECT_EQ(claimed(1), Keys{job_key(3)}) << "One in any case.";
    EXPECT_EQ(claimed(100'000), Keys{job_key(4)});
    EXPECT_EQ(claimed(1'000'000), Keys{job_key(5)});
}

TEST_P(JobClaimerConformance, GivesTheNthJobInLineToTheNthSlot) {
    ASSERT_TRUE(write({.jobs_new = {unlocked_job(3)}}));
    ASSERT_TRUE(write({.jobs_new = {unlocked_job(1)}}));
    ASSERT_TRUE(write({.jobs_new = {unlocked_job(2)}}));

    const auto delivered = claim_for({{kWorker, 10s}, {kOtherWorker, 20s}});
    ASSERT_EQ(keys_of(delivered), (std::vector{job_key(3), job_key(1)}));
    EXPECT_EQ(delivered[0].job.lease, (Lease{kWorker, kNoon, kNoon + 10s}));
    EXPECT_EQ(delivered[1].job.lease, (Lease{kOtherWorker, kNoon, kNoon + 20s}));
    EXPECT_EQ(read(job_key(2)).value().status, JobState::unlocked);
}

TEST_P(JobClaimerConformance, ReturnsJobsSortedByPlace) {
    Writes writes;
    for (std::uint64_t n = kFirst; n <= 200; ++n) writes.jobs_new.push_back(unlocked_job(n));
    ASSERT_TRUE(write(writes));
    const std::vector<DeliveredJob> delivered = claim_for(slots(200));
    EXPECT_EQ(delivered.size(), 200u);
    EXPECT_TRUE(std::ranges::is_sorted(delivered, {},
                                       [](const DeliveredJob& item) { return item.job.seq; }));
}

TEST_P(JobClaimerConformance, ClaimsAboveTheMarkOnly) {
    ASSERT_TRUE(write({.jobs_new = {unlocked_job(1), unlocked_job(2), unlocked_job(3)}}));
    const std::int64_t mark = read(job_key(1)).value().seq;
    EXPECT_EQ(keys_of(claim_for(slots(1), mark)), std::vector{job_key(2)});
    EXPECT_EQ(keys_of(claim_for(slots(9), 0)), (std::vector{job_key(1), job_key(3)}));
}

TEST_P(JobClaimerConformance, LeavesJobsInLineThatItIsToPassOver) {
    for (std::uint64_t n = 1; n <= 3; ++n) ASSERT_TRUE(write({.jobs_new = {unlocked_job(n)}}));
    const auto claim_past = [&](std::vector<JobId> passed_over) {
        const auto delivered = claimer_->claim_jobs({.workspace_id = kWorkspace,
                                                     .job_type = kCharge,
                                                     .slots = slots(1),
                                                     .passed_over = std::move(passed_over),
                                                     .now = [] {
                                                         return kNoon;
                                                     }});
        EXPECT_TRUE(delivered);
        return delivered ? keys_of(*delivered) : std::vector<JobKey>{};
    };
    EXPECT_EQ(claim_past({job_key(1).id}), std::vector<JobKey>{job_key(2)});
    EXPECT_EQ(claim_past({job_key(1).id, job_key(3).id}), std::vector<JobKey>{});
    EXPECT_FALSE(claimer_->others_were_faster()) << "nobody has them";
    EXPECT_EQ(read(job_key(1))->status, JobState::unlocked);
    EXPECT_EQ(claim_past({job_key(3).id}), std::vector<JobKey>{job_key(1)});
}

TEST_P(JobClaimerConformance, ClaimsOneTypeOfOneWorkspace) {
    Job other_type = unlocked_job(1);
    other_type.job_type = {"send-mail"};
    ASSERT_TRUE(write(
        {.jobs_new = {other_type, unlocked_job(2), locked_job(3), moved_away(unlocked_job(2))}}));
    EXPECT_EQ(keys_of(claim_for(slots(9))), std::vector{job_key(2)});
    EXPECT_EQ(claim_for(slots(9), 0, kOtherWorkspace).size(), 1u);
    EXPECT_EQ(read(job_key(1)).value().status, JobState::unlocked);
}

TEST_P(JobClaimerConformance, ClaimsNothingWithoutSlots) {
    ASSERT_TRUE(write({.jobs_new = {unlocked_job(1)}}));
    EXPECT_TRUE(claim_for({}).empty());
    EXPECT_EQ(read(job_key(1)).value().status, JobState::unlocked);
}

TEST_P(JobClaimerConformance, ClaimsNothingForAWorkerWhoseNameIsRefused) {
    ASSERT_TRUE(write({.jobs_new = {unlocked_job(1), unlocked_job(2)}}));
    const auto refused =
        claimer_->claim_jobs({.workspace_id = kWorkspace,
                              .job_type = kCharge,
                              .slots = {{kWorker, kLease}, {{std::string("a\0b", 3)}, kLease}},
                              .now = [] {
                                  return kNoon;
                              }});
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, ErrorCode::data_refused);
    EXPECT_EQ(claim_for(slots(9)).size(), 2u);
}

TEST_P(JobClaimerConformance, TellsWhichWorkspacesHaveWaitingJobsOfTheseTypes) {
    EXPECT_EQ(*claimer_->waiting_types({{"a"}, {"b"}}), std::vector<WaitingType>{});

    const auto job_of_type = [](std::uint64_t n, const char* type) {
        Job job = unlocked_job(n);
        job.job_type = {type};
        return job;
    };
    Job in_third = job_of_type(7, "b");
    in_third.key.workspace_id = {"zeta"};
    Job locked = locked_job(9);
    locked.job_type = {"locked"};
    ASSERT_TRUE(write({.jobs_new = {job_of_type(1, "b"), job_of_type(2, "a"), job_of_type(3, "b"),
                                    job_of_type(4, "B"), job_of_type(5, "ä"),
                                    moved_away(job_of_type(6, "a")), in_third, locked}}));
    struct Row {
        std::vector<JobType> asked;
        std::vector<WaitingType> expected;
    };
    for (const Row& row : {
             Row{{{"a"}}, {{kWorkspace, {"a"}}, {kOtherWorkspace, {"a"}}}},
             Row{{{"b"}}, {{kWorkspace, {"b"}}, {{"zeta"}, {"b"}}}},
             Row{{{"b"}, {"a"}},
                 {{kWorkspace, {"a"}},
                  {kWorkspace, {"b"}},
                  {kOtherWorkspace, {"a"}},
                  {{"zeta"}, {"b"}}}},
             Row{{{"B"}, {"ä"}}, {{kWorkspace, {"B"}}, {kWorkspace, {"ä"}}}},
             Row{{{"locked"}, {"nobody's"}}, {}},
             Row{{}, {}},
         }) {
        EXPECT_EQ(*claimer_->waiting_types(row.asked), row.expected);
    }
    ASSERT_EQ(claim_for(slots(9), 0).size(), 0u) << "asking claims nothing of another type";
}

MILLRACE_FOR_ALL_STORES(JobClaimerConformance);

}  // namespace
}  // namespace millrace
