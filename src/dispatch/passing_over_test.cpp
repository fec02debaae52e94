#include <gtest/gtest.h>

#include "dispatch/job_broker.hpp"
#include "engine/release_job.hpp"
#include "store/memory/memory_database.hpp"
#include "support/test_node.hpp"

namespace millrace {
namespace {

class PassingOverTest : public testing::Test {
protected:
    PassingOverTest() {
        node_.upload(R"({"id": "one", "name": "One", "steps": [
            {"id": "a", "name": "A", "type": "SERVICE_TASK", "jobType": "t", "nextStep": "end"},
            {"id": "end", "name": "End", "type": "END"}]})");
    }

    TestNode::Poll waiting(const WorkerId& worker_id, bool is_of_all = false) {
        PollJobs poll{.worker_id = worker_id,
                      .job_types = {{"t"}},
                      .jobs_max = 1,
                      .lease_duration = kLease,
                      .wait_duration = 60s};
        if (!is_of_all) poll.workspace_id = kWorkspace;
        TestNode::Poll begun = node_.begin_poll(std::move(poll));
        node_.broker().run_once();
        return begun;
    }

    // As the handler does it.
    void release(const DeliveredJob& delivered) {
        const WorkerId worker_id = delivered.job.lease->worker_id;
        const JobKey& key = delivered.job.key;
        node_.broker().pass_over(key, {}, worker_id);
        ASSERT_TRUE(node_.run(ReleaseJob{key, {worker_id, delivered.job.lease_token}}));
        node_.broker().pass_over(key, delivered.job.job_type, worker_id);
        node_.broker().run_once();
    }

    MemoryDatabase database_;
    FakeClock clock_{kNoon};
    TestNode node_{database_, clock_};
};

TEST_F(PassingOverTest, AReleasedJobGoesToAnotherWorkerAtOnce) {
    ASSERT_TRUE(node_.start("one"));
    const DeliveredJob job = node_.poll("t").at(0);
    const auto same = waiting(kWorker);
    const auto other = waiting(kOtherWorker);
    release(job);
    EXPECT_FALSE(same.is_answered());
    ASSERT_EQ(other.jobs().size(), 1u);
    EXPECT_EQ(other.jobs()[0].job.lease_token, 2);
}

TEST_F(PassingOverTest, ItComesBackToItsWorkerAfterASecond) {
    for (const bool is_of_all : {false, true}) {
        ASSERT_TRUE(node_.start("one"));
        const DeliveredJob job = node_.poll("t").at(0);
        const auto same = waiting(kWorker, is_of_all);
        release(job);
        const Round round = node_.broker().run_once();
        EXPECT_FALSE(round.progressed) << "it looks in vain, and not all the time";
        EXPECT_EQ(round.next_at, clock_.now() + 1s);
        clock_.advance(1s - 1us);
        node_.broker().run_once();
        EXPECT_FALSE(same.is_answered());
        clock_.advance(1us);
        node_.broker().run_once();
        ASSERT_EQ(same.jobs().size(), 1u);
        ASSERT_TRUE(node_.complete(same.jobs()[0]));
    }
}

TEST_F(PassingOverTest, ItsWorkerGetsOtherJobsMeanwhile) {
    ASSERT_TRUE(node_.start("one"));
    const DeliveredJob job = node_.poll("t").at(0);
    release(job);
    EXPECT_TRUE(node_.poll("t").empty());
    ASSERT_TRUE(node_.start("one"));
    const std::vector<DeliveredJob> next = node_.poll("t");
    ASSERT_EQ(next.size(), 1u);
    EXPECT_NE(next[0].job.key, job.job.key);
    const std::vector<DeliveredJob> others = node_.poll("t", 10, kOtherWorker);
    ASSERT_EQ(others.size(), 1u) << "nobody took it for gone";
    EXPECT_EQ(others[0].job.key, job.job.key);
}

TEST(RecentReleasesTest, ForgetsTheOldestWhenItIsFull) {
    RecentReleases releases;
    const auto job = [](std::uint64_t n) {
        return job_key(n).id;
    };
    for (std::uint64_t n = 0; n <= limits::kReleasesRemembered; ++n) {
        releases.note(job(n), {kWorkspace, kCharge}, kWorker, kNoon + Duration(n));
    }
    EXPECT_FALSE(releases.has(job(0)));
    EXPECT_TRUE(releases.has(job(1)));
    EXPECT_EQ(releases.of(kWorker).size(), limits::kReleasesRemembered);
    EXPECT_EQ(releases.end(kNoon + 1h).size(), 1u);
    EXPECT_FALSE(releases.has(kWorker));
    EXPECT_EQ(releases.next_end(), std::nullopt);
}

}  // namespace
}  // namespace millrace
