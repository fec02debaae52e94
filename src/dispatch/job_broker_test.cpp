#include "dispatch/job_broker.hpp"

#include <gtest/gtest.h>

#include "store/memory/memory_database.hpp"
#include "support/faulty_database.hpp"
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

// On a store that is this process's alone nobody else would look for leases that no worker has.
TEST_F(JobBrokerTest, TellsOfAClaimThatMayHaveHappened) {
    FaultPlan plan;
    FaultyDatabase faulty(database_, plan);
    TestNode node(faulty, clock_);
    start(1);
    plan = {.fault = Fault::reply_lost, .first = 1, .count = 1};
    const auto poll = node.begin_poll({.workspace_id = kWorkspace,
                                       .worker_id = kWorker,
                                       .job_types = {{"t"}},
                                       .jobs_max = 1,
                                       .lease_duration = kLease});
    EXPECT_TRUE(node.broker().run_once().unhealthy);
    EXPECT_EQ(node.listener().claims_failed, 1);
}

TEST_F(JobBrokerTest, EndsAWaitAtItsDeadlineAndNotBefore) {
    forget_backlog();
    const auto poll = waiting(1, 10s);
    clock_.advance(10s - 1us);
    const Round round = node_.broker().run_once();
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

// A store that others write to, looked at by a broker that counts its looks.
class SharedBrokerTest : public JobBrokerTest {
protected:
    class CountingClaimer final : public JobClaimer {
    public:
        explicit CountingClaimer(std::unique_ptr<JobClaimer> claimer)
            : claimer_(std::move(claimer)) {}

        Result<std::vector<DeliveredJob>> claim_jobs(const ClaimJobs& request) override {
            asked.push_back(request.job_type.value);
            return claimer_->claim_jobs(request);
        }
        Result<std::vector<WaitingType>> waiting_types(
            const std::vector<JobType>& job_types) override {
            return claimer_->waiting_types(job_types);
        }

        std::vector<std::string> asked{};

    private:
        std::unique_ptr<JobClaimer> claimer_;
    };

    SharedBrokerTest() { broker_.run_once(); }

    void park(std::vector<JobType> types) {
        broker_.poll(
            {.workspace_id = kWorkspace,
             .worker_id = kWorker,
             .job_types = std::move(types),
             .jobs_max = 1,
             .lease_duration = kLease,
             .wait_duration = 60s},
            [this](const Result<std::vector<DeliveredJob>>& jobs) { delivered_ += jobs->size(); });
        broker_.run_once();
        claimer_.asked.clear();
    }

    // When the store was asked in that time, counted from its beginning.
    std::vector<Duration> looks_within(Duration time) {
        std::vector<Duration> looks;
        const Instant began = clock_.now();
        while (clock_.now() < began + time) {
            clock_.advance(5ms);
            broker_.run_once();
            if (!claimer_.asked.empty()) looks.push_back(clock_.now() - began);
            claimer_.asked.clear();
        }
        return looks;
    }

    CommandQueue queue_{[] {
    }};
    RecordingListener listener_;
    CountingClaimer claimer_{database_.job_claimer()};
    int wakes_ = 0;
    JobBroker broker_{claimer_, queue_, listener_, clock_, {.is_shared = true}, [this] {
                          wakes_ += 1;
                      }};
    std::size_t delivered_ = 0;
};

TEST_F(SharedBrokerTest, LooksLessAndLessOftenWithoutHints) {
    park({{"t"}});
    const std::vector<Duration> expected{25ms, 75ms, 175ms, 375ms, 775ms, 1275ms, 1775ms};
    EXPECT_EQ(looks_within(2s), expected);
}

TEST_F(SharedBrokerTest, LooksSoonAgainAfterItFoundSomething) {
    park({{"t"}});
    looks_within(5s);
    start(1);
    looks_within(500ms);
    ASSERT_EQ(delivered_, 1u);
    park({{"t"}});
    EXPECT_EQ(looks_within(60ms).size(), 1u);
}

TEST_F(SharedBrokerTest, CastsAWideNetWhileHintsComeIn) {
    broker_.set_hinted(true);
    park({{"t"}});
    EXPECT_EQ(looks_within(5s), (std::vector<Duration>{2s, 4s}));
    start(1);
    looks_within(1s);
    EXPECT_EQ(delivered_, 1u) << "a lost hint costs time and no work";
}

TEST_F(SharedBrokerTest, HurriesAsSoonAsHintsStop) {
    broker_.set_hinted(true);
    park({{"t"}});
    looks_within(1s);
    wakes_ = 0;
    broker_.set_hinted(false);
    EXPECT_EQ(wakes_, 1);
    EXPECT_EQ(looks_within(100ms).front(), 5ms);
    broker_.set_hinted(false);
    EXPECT_EQ(wakes_, 1) << "no news";
}

TEST_F(SharedBrokerTest, AsksOnlyForTypesWhoseTimeHasCome) {
    park({{"quiet"}});
    looks_within(2s);
    park({{"t"}});
    clock_.advance(30ms);
    broker_.run_once();
    EXPECT_EQ(claimer_.asked, std::vector<std::string>{"t"});
}

TEST_F(SharedBrokerTest, AHintWakesThosePolls) {
    broker_.set_hinted(true);
    park({{"t"}});
    start(1);
    wakes_ = 0;
    const WaitingType others[] = {{kWorkspace, {"nobody-asks-for"}}, {{"globex"}, {"t"}}};
    broker_.hear(others);
    EXPECT_EQ(wakes_, 0);
    const WaitingType type[] = {{kWorkspace, {"t"}}};
    broker_.hear(type);
    EXPECT_EQ(wakes_, 1);
    broker_.run_once();
    EXPECT_EQ(delivered_, 1u);
}

TEST_F(SharedBrokerTest, AHintAboutATypeThatWasEmptyCountsForTheNextPoll) {
    broker_.set_hinted(true);
    park({{"t"}});
    start(1);
    const WaitingType type[] = {{kWorkspace, {"t"}}};
    broker_.hear(type);
    broker_.run_once();
    start(1);
    broker_.hear(type);
    park({{"t"}});
    EXPECT_EQ(delivered_, 2u);
}

TEST_F(SharedBrokerTest, AnIncompleteHintWakesEverybody) {
    broker_.set_hinted(true);
    park({{"t"}, {"other"}});
    park({{"third"}});
    start(1);
    broker_.hear_of_anything();
    broker_.run_once();
    EXPECT_EQ(delivered_, 1u);
    EXPECT_EQ(claimer_.asked, (std::vector<std::string>{"other", "t", "third"}));
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

// Its batch has failed; meanwhile another one has left a job in line that only this poll could
// have.
TEST_F(JobBrokerTest, APollThatIsGivenBackLooksForWhatWasAnnouncedMeanwhile) {
    forget_backlog();
    const auto poll = waiting(1);
    const OfferedJob offered{.type = {kWorkspace, {"t"}}};
    const std::vector<JobGrant> grants = node_.broker().reserve(std::span(&offered, 1));
    ASSERT_EQ(grants.size(), 1u);
    start(1);
    EXPECT_FALSE(poll.is_answered());
    node_.broker().give_back(grants);
    node_.broker().run_once();
    EXPECT_EQ(poll.jobs().size(), 1u);
}

}  // namespace
}  // namespace millrace
