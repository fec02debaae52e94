// Polls that name no workspace: who serves them, in which order, and what that costs.

#include <gtest/gtest.h>

#include <map>

#include "dispatch/job_broker.hpp"
#include "store/memory/memory_database.hpp"
#include "support/test_node.hpp"

namespace millrace {
namespace {

const WorkspaceId kAcme{"acme"};
const WorkspaceId kBolt{"bolt"};
const WorkspaceId kCord{"cord"};

constexpr std::string_view kTwoKinds = R"({"id": "KIND", "name": "One", "steps": [
    {"id": "a", "name": "A", "type": "SERVICE_TASK", "jobType": "KIND", "nextStep": "end"},
    {"id": "end", "name": "End", "type": "END"}]})";

// "acme:3 bolt:1"
std::string told(const std::vector<DeliveredJob>& jobs) {
    std::map<std::string, int> counts;
    for (const DeliveredJob& delivered : jobs) counts[delivered.job.key.workspace_id.value] += 1;
    std::string text;
    for (const auto& [workspace, count] : counts) {
        text += (text.empty() ? "" : " ") + workspace + ":" + std::to_string(count);
    }
    return text;
}

PollJobs poll_of(std::optional<WorkspaceId> workspace_id, std::int32_t jobs_max,
                 Duration wait_duration = 0s, std::vector<JobType> types = {{"t"}}) {
    return {.workspace_id = std::move(workspace_id),
            .worker_id = kWorker,
            .job_types = std::move(types),
            .jobs_max = jobs_max,
            .lease_duration = kLease,
            .wait_duration = wait_duration};
}

class PollsOfAllTest : public testing::Test {
protected:
    PollsOfAllTest() {
        for (const WorkspaceId& workspace_id : {kAcme, kBolt, kCord}) {
            for (const std::string kind : {"t", "u"}) {
                std::string document(kTwoKinds);
                while (document.find("KIND") != std::string::npos) {
                    document.replace(document.find("KIND"), 4, kind);
                }
                node_.upload(document, workspace_id);
            }
        }
    }

    void submit_start(TestNode& node, const WorkspaceId& workspace_id, int count,
                      const std::string& kind = "t") {
        for (int n = 0; n < count; ++n) {
            node.queue().submit(
                StartInstance{.key = {{Id128::for_instance(kNoon, ++random_)}, workspace_id},
                              .definition_id = kind},
                [](const Result<Instance>& started) { EXPECT_TRUE(started); });
        }
    }
    void start(const WorkspaceId& workspace_id, int count, const std::string& kind = "t") {
        submit_start(node_, workspace_id, count, kind);
        node_.commit();
    }

    TestNode::Poll waiting(std::optional<WorkspaceId> workspace_id, std::int32_t jobs_max) {
        return node_.begin_poll(poll_of(std::move(workspace_id), jobs_max, 10s));
    }
    // Parks when nothing is there.
    TestNode::Poll parked(std::optional<WorkspaceId> workspace_id, std::int32_t jobs_max) {
        const TestNode::Poll poll = waiting(std::move(workspace_id), jobs_max);
        node_.broker().run_once();
        EXPECT_FALSE(poll.is_answered());
        return poll;
    }
    std::vector<DeliveredJob> poll_all(std::int32_t jobs_max,
                                       std::vector<JobType> types = {{"t"}}) {
        const TestNode::Poll poll = node_.begin_poll(poll_of({}, jobs_max, 0s, std::move(types)));
        node_.broker().run_once();
        EXPECT_TRUE(poll.is_answered());
        return poll.jobs();
    }

    MemoryDatabase database_;
    FakeClock clock_{kNoon};
    TestNode node_{database_, clock_};
    std::uint64_t random_ = 1'000;
};

TEST_F(PollsOfAllTest, FindBacklogThatWasThereBefore) {
    start(kBolt, 1);
    start(kCord, 2);
    TestNode restarted(database_, clock_);
    const TestNode::Poll poll = restarted.begin_poll(poll_of({}, 10));
    restarted.broker().run_once();
    EXPECT_EQ(told(poll.jobs()), "bolt:1 cord:2");
}

TEST_F(PollsOfAllTest, ShareOneAnswerBetweenWorkspaces) {
    start(kAcme, 100);
    start(kBolt, 1);
    start(kCord, 5);
    EXPECT_EQ(told(poll_all(9)), "acme:4 bolt:1 cord:4") << "what bolt has not is shared again";
    EXPECT_EQ(told(poll_all(10)), "acme:9 cord:1") << "nobody's hand stays empty";
}

TEST_F(PollsOfAllTest, TakeTurnsOneJobAtATime) {
    start(kAcme, 100);
    start(kBolt, 2);
    start(kCord, 1);
    std::string served;
    for (int i = 0; i < 7; ++i) served += told(poll_all(1)) + " ";
    EXPECT_EQ(served, "acme:1 bolt:1 cord:1 acme:1 bolt:1 acme:1 acme:1 ");
}

TEST_F(PollsOfAllTest, AreNotKeptFromAWorkspaceByAnotherType) {
    start(kAcme, 100, "t");
    start(kBolt, 3, "u");
    int of_bolt = 0;
    for (int i = 0; i < 6; ++i) of_bolt += told(poll_all(1, {{"t"}, {"u"}})) == "bolt:1" ? 1 : 0;
    EXPECT_EQ(of_bolt, 3);
}

TEST_F(PollsOfAllTest, AreServedInTheOrderInWhichTheyCame) {
    start(kAcme, 5);
    const auto first = waiting({}, 10);
    const auto second = waiting(kAcme, 1);
    const auto third = waiting({}, 10);
    node_.broker().run_once();
    EXPECT_EQ(first.jobs().size(), 2u);
    EXPECT_EQ(second.jobs().size(), 1u);
    EXPECT_EQ(third.jobs().size(), 2u);
}

TEST_F(PollsOfAllTest, AreHandedFreshJobsOfAnyWorkspaceFirstComeFirstServed) {
    const auto first = parked({}, 10);
    const auto second = parked(kBolt, 10);
    const auto third = parked({}, 1);
    start(kBolt, 6);
    EXPECT_EQ(told(first.jobs()), "bolt:3");
    EXPECT_EQ(told(second.jobs()), "bolt:2");
    EXPECT_EQ(told(third.jobs()), "bolt:1");
    for (const DeliveredJob& delivered : first.jobs()) {
        EXPECT_EQ(delivered.job.lease_token, 1) << "born claimed";
    }
}

TEST_F(PollsOfAllTest, ShareTheFreshJobsOfOneBatchBetweenWorkspaces) {
    const auto poll = parked({}, 4);
    submit_start(node_, kAcme, 50);
    submit_start(node_, kCord, 2);
    node_.commit();
    EXPECT_EQ(told(poll.jobs()), "acme:2 cord:2");
}

TEST_F(PollsOfAllTest, AreGivenFreshJobsInTurnWhenEachWorkspaceHasOne) {
    const auto first = parked({}, 10);
    const auto second = parked({}, 10);
    submit_start(node_, kAcme, 1);
    submit_start(node_, kBolt, 1);
    node_.commit();
    EXPECT_EQ(told(first.jobs()), "acme:1");
    EXPECT_EQ(told(second.jobs()), "bolt:1");
}

TEST_F(PollsOfAllTest, AreCalledWhenJobsComeThatNobodyReserved) {
    const auto poll = parked({}, 1);
    submit_start(node_, kBolt, 3);
    node_.commit();
    EXPECT_EQ(told(poll.jobs()), "bolt:1");
    EXPECT_EQ(told(poll_all(10)), "bolt:2") << "the rest is known to be there";
    EXPECT_EQ(told(poll_all(10)), "");
}

TEST_F(PollsOfAllTest, OfOneWorkspaceGetNothingOfAnother) {
    start(kAcme, 1);
    const TestNode::Poll poll = node_.begin_poll(poll_of(kBolt, 10));
    node_.broker().run_once();
    EXPECT_TRUE(poll.jobs().empty());
    const auto of_bolt = parked(kBolt, 10);
    start(kCord, 1);
    EXPECT_FALSE(of_bolt.is_answered());
}

TEST_F(PollsOfAllTest, AreSeenByWhoeverAsksForWorkersOfAWorkspace) {
    const auto poll = parked({}, 1);
    const WorkersSeen seen = node_.broker().workers_of({kCord, {"t"}});
    EXPECT_EQ(seen.waiting, 1);
    EXPECT_EQ(seen.last_seen_at, clock_.now());
    EXPECT_EQ(node_.broker().workers_of({kCord, {"other"}}).waiting, 0);
}

// A store that others write to, looked at by a broker that counts its looks.
class SharedPollsOfAllTest : public PollsOfAllTest {
protected:
    class CountingClaimer final : public JobClaimer {
    public:
        explicit CountingClaimer(std::unique_ptr<JobClaimer> claimer)
            : claimer_(std::move(claimer)) {}

        Result<std::vector<DeliveredJob>> claim_jobs(const ClaimJobs& request) override {
            asked += "claim " + request.workspace_id.value + " ";
            return claimer_->claim_jobs(request);
        }
        Result<std::vector<WaitingType>> waiting_types(
            const std::vector<JobType>& job_types) override {
            asked += "scan ";
            if (is_broken) return Error{ErrorCode::unavailable, "away"};
            return claimer_->waiting_types(job_types);
        }

        std::string asked{};
        bool is_broken = false;

    private:
        std::unique_ptr<JobClaimer> claimer_;
    };

    // What the store was asked for a poll, and what came of it: "scan claim acme = acme:1".
    std::string ask(std::int32_t jobs_max, Duration wait_duration = 0s,
                    std::optional<WorkspaceId> workspace_id = {}) {
        claimer_.asked.clear();
        delivered_.clear();
        broker_.poll(poll_of(std::move(workspace_id), jobs_max, wait_duration),
                     [this](const Result<std::vector<DeliveredJob>>& jobs) {
                         delivered_ = jobs ? *jobs : std::vector<DeliveredJob>{};
                     });
        broker_.run_once();
        return claimer_.asked + "= " + told(delivered_);
    }

    CommandQueue queue_{[] {
    }};
    RecordingListener listener_;
    CountingClaimer claimer_{database_.job_claimer()};
    JobBroker broker_{claimer_, queue_, listener_, clock_, {.is_shared = true}, [] {
                      }};
    std::vector<DeliveredJob> delivered_;
};

TEST_F(SharedPollsOfAllTest, AskWhereJobsAreOnlyWhenThatIsNotKnown) {
    EXPECT_EQ(ask(1), "scan = ") << "one statement, as for one workspace";
    EXPECT_EQ(ask(1), "scan = ") << "who does not wait is told the truth";
    start(kBolt, 4);
    EXPECT_EQ(ask(1), "scan claim bolt = bolt:1");
    EXPECT_EQ(ask(1), "claim bolt = bolt:1") << "known by now";
    EXPECT_EQ(ask(9), "claim bolt = bolt:2");
    EXPECT_EQ(ask(9), "scan = ");
}

TEST_F(SharedPollsOfAllTest, FindOtherWorkspacesBesideAFloodedOne) {
    start(kAcme, 1'000);
    EXPECT_EQ(ask(2), "scan claim acme = acme:2");
    start(kBolt, 1);
    EXPECT_EQ(ask(2), "claim acme = acme:2") << "nobody told of bolt";
    clock_.advance(500ms);
    EXPECT_EQ(ask(2), "scan claim acme claim bolt = acme:1 bolt:1");
}

TEST_F(SharedPollsOfAllTest, OfOneWorkspaceNeverAskAboutOthers) {
    start(kAcme, 1);
    EXPECT_EQ(ask(1, 0s, kBolt), "claim bolt = ");
    EXPECT_EQ(ask(1, 0s, kAcme), "claim acme = acme:1");
    EXPECT_EQ(ask(1, 0s, kAcme), "claim acme = ");
}

TEST_F(SharedPollsOfAllTest, AHintOfAnyWorkspaceWakesThem) {
    broker_.set_hinted(true);
    EXPECT_EQ(ask(1, 10s), "scan = ");
    start(kCord, 1);
    claimer_.asked.clear();
    const WaitingType others[] = {{kCord, {"nobody-asks-for"}}};
    broker_.hear(others);
    broker_.run_once();
    EXPECT_EQ(claimer_.asked, "");
    const WaitingType type[] = {{kCord, {"t"}}};
    broker_.hear(type);
    broker_.run_once();
    EXPECT_EQ(claimer_.asked, "claim cord ") << "the hint says where";
    EXPECT_EQ(told(delivered_), "cord:1");
}

TEST_F(SharedPollsOfAllTest, AnIncompleteHintMakesThemLook) {
    broker_.set_hinted(true);
    EXPECT_EQ(ask(1, 10s), "scan = ");
    start(kBolt, 1);
    broker_.hear_of_anything();
    broker_.run_once();
    EXPECT_EQ(told(delivered_), "bolt:1");
}

TEST_F(SharedPollsOfAllTest, LookNowAndThenWithoutHints) {
    EXPECT_EQ(ask(1, 10s), "scan = ");
    start(kBolt, 1);
    clock_.advance(25ms);
    broker_.run_once();
    EXPECT_EQ(told(delivered_), "bolt:1");
}

TEST_F(SharedPollsOfAllTest, GoOnWhenTheStoreIsBack) {
    claimer_.is_broken = true;
    start(kBolt, 1);
    EXPECT_EQ(ask(1, 10s), "scan = ");
    EXPECT_TRUE(broker_.run_once().unhealthy);
    claimer_.is_broken = false;
    broker_.run_once();
    EXPECT_EQ(told(delivered_), "bolt:1");
}

}  // namespace
}  // namespace millrace
