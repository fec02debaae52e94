#include "engine/release_job.hpp"

#include <gtest/gtest.h>

#include "engine/cancel_instance.hpp"
#include "engine/extend_lease.hpp"
#include "engine/get_job.hpp"
#include "engine/suspend_instance.hpp"
#include "store/memory/memory_database.hpp"
#include "support/test_node.hpp"

namespace millrace {
namespace {

constexpr std::string_view kRetried = R"({"id": "retried", "name": "R", "steps": [
    {"id": "a", "name": "A", "type": "SERVICE_TASK", "jobType": "t", "retryCount": 1,
     "timeout": "PT40S", "retryPolicy": {"initialDelay": "PT1M"}, "nextStep": "end"},
    {"id": "end", "name": "End", "type": "END"}]})";

class ReleaseJobTest : public testing::Test {
protected:
    ReleaseJobTest() {
        node_.upload(kRetried);
        const Result<Instance> started = node_.start("retried");
        EXPECT_TRUE(started);
        instance_ = started->key;
    }

    DeliveredJob claim() {
        const std::vector<DeliveredJob> jobs = node_.poll("t");
        EXPECT_EQ(jobs.size(), 1u);
        return jobs.empty() ? DeliveredJob{} : jobs[0];
    }

    static LeaseProof proof_of(const DeliveredJob& delivered) {
        return {delivered.job.lease->worker_id, delivered.job.lease_token};
    }

    Result<Job> release(const DeliveredJob& delivered, Duration delay = {}) {
        return node_.run(ReleaseJob{delivered.job.key, proof_of(delivered), delay, "full"});
    }

    JobView view(const DeliveredJob& delivered) {
        const Result<JobView> found = read(GetJob{delivered.job.key}, node_.reader());
        EXPECT_TRUE(found);
        return found ? *found : JobView{};
    }

    std::optional<LeaseEnd> cause_of_refusal(const DeliveredJob& delivered) {
        const auto extended =
            node_.run(ExtendLease{delivered.job.key, proof_of(delivered), kLease});
        EXPECT_FALSE(extended);
        return extended ? std::nullopt : lease_end_of(extended.error());
    }

    MemoryDatabase database_;
    FakeClock clock_{kNoon};
    TestNode node_{database_, clock_};
    InstanceKey instance_{};
};

TEST_F(ReleaseJobTest, OffersTheJobAgainAtOnceAndKeepsItsRetries) {
    const DeliveredJob first = claim();
    ASSERT_TRUE(release(first));
    ASSERT_TRUE(release(first)) << "repeated";
    const DeliveredJob second = claim();
    EXPECT_EQ(second.job.lease_token, 2);
    EXPECT_EQ(second.job.retries_remaining, 1);
    const std::vector<Try> tries = view(second).tries;
    ASSERT_EQ(tries.size(), 1u);
    EXPECT_EQ(tries[0].outcome, TryOutcome::released);
    EXPECT_EQ(tries[0].worker_id, kWorker);
    EXPECT_EQ(tries[0].message, "full");
    EXPECT_EQ(release(first).error().code, ErrorCode::lease_lost) << "a late one takes nothing";
    EXPECT_TRUE(node_.complete(second));
    EXPECT_TRUE(release(second)) << "it is over";
}

TEST_F(ReleaseJobTest, WaitsAsLongAsItIsAsked) {
    const DeliveredJob first = claim();
    ASSERT_TRUE(release(first, 10s));
    clock_.advance(10s - 1us);
    node_.settle();
    EXPECT_TRUE(node_.poll("t").empty());
    clock_.advance(1us);
    node_.settle();
    EXPECT_EQ(claim().job.retries_remaining, 1);
}

TEST_F(ReleaseJobTest, ALateHolderMayStillCompleteUntilTheNextClaim) {
    const DeliveredJob first = claim();
    ASSERT_TRUE(release(first, 10s));
    EXPECT_TRUE(node_.complete(first));
    EXPECT_EQ(node_.instance(instance_).status, InstanceStatus::completed);
}

TEST_F(ReleaseJobTest, ASuspendedInstanceKeepsItsJob) {
    const DeliveredJob first = claim();
    ASSERT_TRUE(node_.run(SuspendInstance{instance_}));
    ASSERT_TRUE(release(first));
    node_.settle();
    EXPECT_TRUE(node_.poll("t").empty());
}

TEST_F(ReleaseJobTest, AFailureMaySayWhenToTryAgain) {
    const DeliveredJob first = claim();
    FailJob failure{.job = first.job.key, .proof = proof_of(first), .retryable = true};
    failure.retry_after = Duration::zero();
    ASSERT_TRUE(node_.run(failure));
    const DeliveredJob second = claim();
    EXPECT_EQ(second.job.retries_remaining, 0) << "at once, whatever the policy says";
}

TEST_F(ReleaseJobTest, ARefusedExtensionSaysThatTheInstanceWasCancelled) {
    const DeliveredJob first = claim();
    ASSERT_TRUE(node_.run(CancelInstance{.instance = instance_}));
    EXPECT_EQ(cause_of_refusal(first), LeaseEnd::cancelled);
}

TEST_F(ReleaseJobTest, ARefusedExtensionSaysThatTheTryTookTooLong) {
    const DeliveredJob first = claim();
    ASSERT_TRUE(node_.run(ExtendLease{first.job.key, proof_of(first), 60s}));
    clock_.advance(40s);
    EXPECT_EQ(cause_of_refusal(first), LeaseEnd::timed_out) << "before the reaper came";
    node_.settle();
    EXPECT_EQ(cause_of_refusal(first), LeaseEnd::timed_out);
}

TEST_F(ReleaseJobTest, ARefusedExtensionSaysThatTheLeaseIsLost) {
    const DeliveredJob first = claim();
    clock_.advance(kLease);
    node_.settle();
    EXPECT_EQ(cause_of_refusal(first), LeaseEnd::lost);
    (void)claim();
    EXPECT_EQ(cause_of_refusal(first), LeaseEnd::lost);
}

TEST_F(ReleaseJobTest, AJobThatKeepsLosingItsWorkersWaitsLongerEachTime) {
    for (int lost = 1; lost <= 9; ++lost) {
        (void)claim();
        clock_.advance(kLease);
        node_.settle();
    }
    for (const Duration delay : {1s, 2s, 4s}) {
        (void)claim();
        clock_.advance(kLease);
        node_.settle();
        clock_.advance(delay - 1us);
        node_.settle();
        EXPECT_TRUE(node_.poll("t").empty());
        clock_.advance(1us);
        node_.settle();
    }
    const DeliveredJob alive = claim();
    EXPECT_EQ(alive.job.retries_remaining, 1);
    ASSERT_TRUE(release(alive));
    (void)claim();
    clock_.advance(kLease);
    node_.settle();
    EXPECT_EQ(node_.poll("t").size(), 1u) << "the row was broken";
}

}  // namespace
}  // namespace millrace
