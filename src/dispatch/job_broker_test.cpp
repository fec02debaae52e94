#include "dispatch/job_broker.hpp"

#include <gtest/gtest.h>

#include "store/memory/memory_database.hpp"
#include "support/test_node.hpp"

namespace millrace {
namespace {

constexpr std::string_view kOneTask = R"({"id": "one", "name": "One", "steps": [
    {"id": "a", "name": "A", "type": "SERVICE_TASK", "jobType": "t", "nextStep": "end"},
    {"id": "end", "name": "End", "type": "END"}]})";

class JobBrokerTest : public testing::Test {
protected:
    JobBrokerTest() { node_.upload(kOneTask); }

    TestNode::Poll waiting(std::int32_t jobs_max, Duration wait = 10s,
                           std::vector<JobType> types = {{"t"}}) {
        return node_.begin_poll({.workspace_id = kWorkspace,
                                 .worker_id = kWorker,
                                 .job_types = std::move(types),
                                 .jobs_max = jobs_max,
                                 .lease_duration = kLease,
                                 .wait_duration = wait});
    }

    void start(int count) {
        for (int n = 0; n < count; ++n) {
            node_.queue().submit(
                StartInstance{.key = {{Id128::for_instance(kNoon, ++random_)}, kWorkspace},
                              .definition_id = "one"},
                [](const Result<Instance>& started) { EXPECT_TRUE(started); });
        }
        node_.commit();
    }

    // Claims what is there, so that polls can park.
    void forget_backlog() { ASSERT_TRUE(node_.poll("t").empty()); }

    MemoryDatabase database_;
    FakeClock clock_{kNoon};
    TestNode node_{database_, clock_};
    std::uint64_t random_ = 1'000;
};

TEST_F(JobBrokerTest, DealsFreshJobsInTurnFirstComeFirstServed) {
    forget_backlog();
    const auto first = waiting(10);
    const auto second = waiting(10);
    const auto third = waiting(1);
    start(6);
    EXPECT_EQ(first.jobs().size(), 3u);
    EXPECT_EQ(second.jobs().size(), 2u);
    EXPECT_EQ(third.jobs().size(), 1u);
}

TEST_F(JobBrokerTest, DealsBacklogTheSameWay) {
    start(5);
    const auto first = waiting(10);
    const auto second = waiting(1);
    const auto third = waiting(10);
    node_.broker().run_once();
    EXPECT_EQ(first.jobs().size(), 2u);
    EXPECT_EQ(second.jobs().size(), 1u);
    EXPECT_EQ(third.jobs().size(), 2u);
}

TEST_F(JobBrokerTest, GivesNoPollMoreThanItAskedFor) {
    start(3);
    EXPECT_EQ(node_.poll("t", 2).size(), 2u);
    EXPECT_EQ(node_.poll("t", 2).size(), 1u);
    EXPECT_EQ(node_.poll("t", 2).size(), 0u);
}

TEST_F(JobBrokerTest, AnswersAPollThatDoesNotWaitAtOnce) {
    forget_backlog();
    const auto poll = waiting(1, 0s);
    EXPECT_TRUE(poll.is_answered()) << "known to be empty: nobody is asked";
    EXPECT_TRUE(poll.jobs().empty());
}

TEST_F(JobBrokerTest, EndsAWaitAtItsDeadlineAndNotBefore) {
    forget_backlog();
    const auto poll = waiting(1, 10s);
    clock_.advance(10s - 1us);
    const JobBroker::Round round = node_.broker().run_once();
    EXPECT_FALSE(poll.is_answered());
    EXPECT_EQ(round.next_at, clock_.now() + 1us);
    clock_.advance(1us);
    node_.broker().run_once();
    EXPECT_TRUE(poll.is_answered());
    EXPECT_EQ(node_.broker().waiting(), 0u);
}

TEST_F(JobBrokerTest, ServesAPollOfSeveralTypesFromAnyOfThem) {
    const auto poll = waiting(10, 10s, {{"other"}, {"t"}});
    node_.broker().run_once();
    start(2);
    EXPECT_EQ(poll.jobs().size(), 2u);
}

TEST_F(JobBrokerTest, OffersTheJobsOfAGoneClientAgain) {
    start(1);
    const auto gone = waiting(1);
    // Its claim is under way: what it brings must not be lost.
    node_.broker().abandon(gone.id);
    const auto next = waiting(1);
    node_.broker().run_once();
    node_.commit();
    node_.broker().run_once();
    ASSERT_EQ(next.jobs().size(), 1u);
    EXPECT_TRUE(gone.jobs().empty());
}

TEST_F(JobBrokerTest, OffersAJobAgainThatCouldNotBeSent) {
    start(1);
    const std::vector<DeliveredJob> undelivered = node_.poll("t");
    const auto next = waiting(1);
    node_.broker().run_once();
    ASSERT_FALSE(next.is_answered());
    node_.broker().offer_again(undelivered);
    node_.commit();
    node_.broker().run_once();
    ASSERT_EQ(next.jobs().size(), 1u);
    EXPECT_EQ(next.jobs()[0].job.lease_token, 2);
}

TEST_F(JobBrokerTest, ForgetsAParkedPollOfAGoneClient) {
    forget_backlog();
    const auto gone = waiting(1);
    node_.broker().abandon(gone.id);
    EXPECT_EQ(node_.broker().waiting(), 0u);
    start(1);
    EXPECT_EQ(node_.poll("t").size(), 1u);
}

TEST_F(JobBrokerTest, AnswersEverybodyWhenItDrains) {
    forget_backlog();
    const auto parked = waiting(1);
    node_.broker().drain();
    EXPECT_TRUE(parked.is_answered());
    start(1);
    const auto late = waiting(1);
    EXPECT_TRUE(late.is_answered());
    EXPECT_TRUE(late.jobs().empty());
}

// A job that goes back in line goes straight to whoever waits.
TEST_F(JobBrokerTest, HandsARetriedJobToAParkedPoll) {
    node_.upload(R"({"id": "retried", "name": "R", "steps": [
        {"id": "a", "name": "A", "type": "SERVICE_TASK", "jobType": "t", "retryCount": 1,
         "nextStep": "end"},
        {"id": "end", "name": "End", "type": "END"}]})");
    ASSERT_TRUE(node_.start("retried"));
    const DeliveredJob first = node_.poll("t").at(0);
    const auto next = waiting(1);
    node_.broker().run_once();
    ASSERT_TRUE(node_.fail(first, true));
    ASSERT_EQ(next.jobs().size(), 1u);
    EXPECT_EQ(next.jobs()[0].job.lease_token, 2);
    EXPECT_EQ(next.jobs()[0].job.retries_remaining, 0);
}

TEST(BacklogTest, TrailsBehindWhatWasClaimed) {
    Backlog backlog;
    const WaitingType type{kWorkspace, {"t"}};
    backlog.note_claimed(type, 100, kNoon);
    EXPECT_EQ(backlog.mark(type, kNoon + 1s), 0);
    EXPECT_EQ(backlog.mark(type, kNoon + 10s), 100);
}

TEST(BacklogTest, LooksFromTheStartNowAndThen) {
    Backlog backlog;
    const WaitingType type{kWorkspace, {"t"}};
    EXPECT_FALSE(backlog.should_look_from_start(type, kNoon)) << "that is where it looks anyway";
    backlog.note_claimed(type, 100, kNoon);
    ASSERT_EQ(backlog.mark(type, kNoon + 10s), 100);
    EXPECT_TRUE(backlog.should_look_from_start(type, kNoon + 10s));
    EXPECT_FALSE(backlog.should_look_from_start(type, kNoon + 10s));
    EXPECT_TRUE(backlog.should_look_from_start(type, kNoon + 12s));
}

TEST(BacklogTest, KeepsHopeWhenJobsCameDuringTheClaim) {
    Backlog backlog;
    const WaitingType type{kWorkspace, {"t"}};
    EXPECT_TRUE(backlog.may_have(type));
    const std::uint64_t before = backlog.generation(type);
    backlog.note_waiting(type);
    backlog.note_empty(type, before, kNoon);
    EXPECT_TRUE(backlog.may_have(type));
    backlog.note_empty(type, backlog.generation(type), kNoon);
    EXPECT_FALSE(backlog.may_have(type));
}

}  // namespace
}  // namespace millrace
