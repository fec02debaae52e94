// Goal: however large variables are, an answer and a round hold a bounded part of them, and nobody
// waits for what was left out.
// Method: jobs with megabytes of variables, as backlog and fresh.

#include <gtest/gtest.h>

#include <map>

#include "core/limits.hpp"
#include "dispatch/job_broker.hpp"
#include "store/memory/memory_database.hpp"
#include "support/test_node.hpp"

namespace millrace {
namespace {

constexpr std::int64_t kJobBytes = 3 << 20;
// The sixth reaches 16 MiB.
constexpr std::size_t kJobsOfAnAnswer = 6;

constexpr std::string_view kOneLargeTask = R"({"id": "one", "name": "One", "steps": [
    {"id": "a", "name": "A", "type": "SERVICE_TASK", "jobType": "t", "nextStep": "end"},
    {"id": "end", "name": "End", "type": "END"}]})";

// As many steps at once, for as many jobs of one instance.
std::string fan_of(int count) {
    std::string next;
    std::string tasks;
    for (int i = 0; i < count; ++i) {
        const std::string id = "t" + std::to_string(i);
        next += (i == 0 ? "\"" : ",\"") + id + "\"";
        tasks += R"({"id":")" + id + R"(","name":"T","type":"SERVICE_TASK","jobType":"t",)" +
                 R"("nextStep":"join"},)";
    }
    return R"({"id":"fan","name":"Fan","steps":[{"id":"fork","name":"F","type":"PARALLEL_GATEWAY",)"
           R"("parallelNextSteps":[)" +
           next + R"(],"joinStep":"join"},)" + tasks +
           R"({"id":"join","name":"J","type":"JOIN_GATEWAY","nextStep":"end"},)"
           R"({"id":"end","name":"E","type":"END"}]})";
}

class PollBytesTest : public testing::Test {
protected:
    PollBytesTest() { node_.upload(kOneLargeTask); }

    TestNode::Poll waiting(std::int32_t jobs_max, Duration wait = 10s,
                           std::optional<WorkspaceId> workspace_id = kWorkspace) {
        return node_.begin_poll({.workspace_id = std::move(workspace_id),
                                 .worker_id = kWorker,
                                 .job_types = {{"t"}},
                                 .jobs_max = jobs_max,
                                 .lease_duration = kLease,
                                 .wait_duration = wait});
    }

    void start(int count, std::int64_t bytes = kJobBytes, std::string definition_id = "one") {
        const std::string text(static_cast<std::size_t>(bytes), 'x');
        for (int n = 0; n < count; ++n) {
            node_.queue().submit(
                StartInstance{.key = {{Id128::for_instance(kNoon, ++random_)}, kWorkspace},
                              .definition_id = definition_id,
                              .variables = Variables::from_text(R"({"a":")" + text + R"("})")},
                [](const Result<Instance>& started) { EXPECT_TRUE(started); });
        }
        node_.commit();
    }

    MemoryDatabase database_;
    FakeClock clock_{kNoon};
    TestNode node_{database_, clock_};
    std::uint64_t random_ = 1'000;
};

TEST_F(PollBytesTest, AnAnswerEndsWithTheJobThatReachesItsBytes) {
    for (const auto& workspace_id : {std::optional(kWorkspace), std::optional<WorkspaceId>()}) {
        start(10);
        const auto first = waiting(1'000, 0s, workspace_id);
        node_.broker().run_once();
        EXPECT_EQ(first.jobs().size(), kJobsOfAnAnswer);
        const auto second = waiting(1'000, 0s, workspace_id);
        node_.broker().run_once();
        EXPECT_EQ(second.jobs().size(), 10 - kJobsOfAnAnswer) << "Nobody has claimed the rest.";
    }
}

TEST_F(PollBytesTest, SmallJobsAreNotHeldBack) {
    start(50, 10);
    EXPECT_EQ(node_.poll("t", 1'000).size(), 50u);
}

TEST_F(PollBytesTest, FreshJobsThatDoNotFitAreOfferedAgainAtOnce) {
    constexpr int kJobs = 16;
    node_.upload(fan_of(kJobs));
    ASSERT_TRUE(node_.poll("t").empty());
    const auto first = waiting(1'000);
    start(1, kJobBytes, "fan");
    ASSERT_TRUE(first.is_answered());
    EXPECT_EQ(first.jobs().size(), kJobsOfAnAnswer);
    node_.commit();

    std::map<JobKey, int> delivered;
    for (const DeliveredJob& each : first.jobs()) delivered[each.job.key] += 1;
    for (int polls = 0; polls < 2; ++polls) {
        for (const DeliveredJob& each : node_.poll("t", 1'000)) delivered[each.job.key] += 1;
    }
    EXPECT_EQ(delivered.size(), kJobs) << "Without a lease running out.";
    for (const auto& [key, count] : delivered) EXPECT_EQ(count, 1);
}

TEST_F(PollBytesTest, ARoundThatIsFullLeavesTheOtherPollsToTheNext) {
    constexpr int kPolls = 30;
    start(kPolls);
    std::vector<TestNode::Poll> polls;
    for (int i = 0; i < kPolls; ++i) polls.push_back(waiting(1, 0s));
    const auto answered = [&polls] {
        return std::ranges::count_if(polls, [](const auto& poll) { return poll.is_answered(); });
    };
    node_.broker().run_once();
    const std::int64_t bytes = answered() * kJobBytes;
    EXPECT_GE(bytes, limits::kClaimRoundBytesMax);
    EXPECT_LT(bytes, limits::kClaimRoundBytesMax + limits::kPollBytesMax + kJobBytes);
    EXPECT_LT(answered(), kPolls);
    EXPECT_TRUE(node_.broker().run_once().progressed);
    EXPECT_EQ(answered(), kPolls);
    for (const auto& poll : polls) EXPECT_EQ(poll.jobs().size(), 1u);
}

// Rounds that are full of what others get went on for as long as there was work.
TEST_F(PollBytesTest, APollIsAnsweredAtItsDeadlineThoughEachRoundIsFull) {
    constexpr int kPolls = 30;
    start(kPolls);
    std::vector<TestNode::Poll> polls;
    for (int i = 0; i < kPolls; ++i) polls.push_back(waiting(1, 10s));
    clock_.advance(10s);
    node_.broker().run_once();
    std::size_t with_jobs = 0;
    for (const auto& poll : polls) {
        EXPECT_TRUE(poll.is_answered());
        with_jobs += poll.jobs().size();
    }
    EXPECT_LT(with_jobs, polls.size());
    EXPECT_EQ(node_.listener().claim_conflicts, static_cast<int>(polls.size() - with_jobs));

    // One that does not wait has a second of full rounds.
    polls = {};
    start(kPolls);
    for (int i = 0; i < kPolls; ++i) polls.push_back(waiting(1, 0s));
    clock_.advance(999ms);
    node_.broker().run_once();
    EXPECT_FALSE(polls.back().is_answered());
    clock_.advance(1ms);
    start(kPolls);
    for (int i = 0; i < kPolls; ++i) waiting(1, 10s);
    node_.broker().run_once();
    EXPECT_TRUE(polls.back().is_answered());
}

}  // namespace
}  // namespace millrace
