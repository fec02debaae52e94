#include "commit/committer.hpp"

#include <gtest/gtest.h>

#include "core/limits.hpp"
#include "engine/cancel_instance.hpp"
#include "store/memory/memory_database.hpp"
#include "support/faulty_database.hpp"
#include "support/test_node.hpp"

namespace millrace {
namespace {

constexpr std::string_view kOneTask = R"({"id": "one", "name": "One", "steps": [
    {"id": "a", "name": "A", "type": "SERVICE_TASK", "jobType": "t", "nextStep": "end"},
    {"id": "end", "name": "End", "type": "END"}]})";

StartInstance starting(std::uint64_t random, std::string business_key = {}) {
    return {
        .key = {{Id128::for_instance(kNoon, random)}, kWorkspace},
        .definition_id = "one",
        .business_key = std::move(business_key),
    };
}

class CommitterTest : public testing::Test {
protected:
    // Starts `count` instances at once; the answers come in their order.
    std::vector<Result<Instance>> start_together(TestNode& node, int count, int poisoned = -1) {
        std::vector<Result<Instance>> answers;
        for (int n = 0; n < count; ++n) {
            const std::string business_key = n == poisoned ? std::string("bad\0key", 7) : "key";
            node.queue().submit(
                starting(static_cast<std::uint64_t>(100 + n), business_key),
                [&](Result<Instance> answer) { answers.push_back(std::move(answer)); });
        }
        node.commit();
        return answers;
    }

    MemoryDatabase database_;
    FakeClock clock_{kNoon};
};

TEST_F(CommitterTest, CommitsEverythingThatWaitsAtOnce) {
    TestNode node(database_, clock_);
    node.upload(kOneTask);
    node.listener().batch_sizes.clear();
    EXPECT_EQ(start_together(node, 5).size(), 5u);
    EXPECT_EQ(node.listener().batch_sizes, std::vector<std::size_t>{5});
}

TEST_F(CommitterTest, TellsHowEachTransactionEnded) {
    struct Row {
        Fault fault;
        int call;
        std::vector<BatchOutcome> outcomes;
    };
    using enum BatchOutcome;
    const Row rows[] = {
        {Fault::refused, 1, {aborted, committed}},
        {Fault::refused, 2, {aborted, committed}},
        {Fault::reply_lost, 2, {unknown, committed}},
        {Fault::commit_lost, 2, {unknown, aborted, committed}},
    };
    std::uint64_t random = 500;
    TestNode(database_, clock_).upload(kOneTask);
    for (const Row& row : rows) {
        FaultPlan plan{.fault = row.fault, .first = row.call, .count = 1};
        FaultyDatabase faulty(database_, plan);
        TestNode node(faulty, clock_);
        EXPECT_TRUE(node.run(starting(++random)));
        EXPECT_EQ(node.listener().outcomes, row.outcomes) << row.call;
    }
}

TEST_F(CommitterTest, HalvesPoisonOutOfItsBatch) {
    TestNode node(database_, clock_);
    node.upload(kOneTask);
    const auto answers = start_together(node, 8, 5);
    ASSERT_EQ(answers.size(), 8u);
    for (std::size_t n = 0; n < answers.size(); ++n) {
        EXPECT_EQ(static_cast<bool>(answers[n]), n != 5) << n;
    }
    EXPECT_EQ(answers[5].error().code, ErrorCode::data_refused);
    EXPECT_EQ(node.poll("t").size(), 7u);
}

TEST_F(CommitterTest, AnswersARefusalWithoutTouchingTheOthers) {
    TestNode node(database_, clock_);
    node.upload(kOneTask);
    std::vector<bool> answers;
    const auto note = [&](const Result<Instance>& answer) {
        answers.push_back(static_cast<bool>(answer));
    };
    StartInstance unknown = starting(2);
    unknown.definition_id = "nothing";
    node.queue().submit(starting(1), note);
    node.queue().submit(unknown, note);
    node.queue().submit(starting(3), note);
    node.commit();
    EXPECT_EQ(answers, (std::vector<bool>{true, false, true}));
}

TEST_F(CommitterTest, LetsACommandSeeTheEffectsOfThoseBeforeIt) {
    TestNode node(database_, clock_);
    node.upload(kOneTask);
    const InstanceKey key = starting(1).key;
    std::optional<Result<Instance>> cancelled;
    node.queue().submit(starting(1), [](const Result<Instance>&) {});
    // Loaded with the batch: the row is not there yet, but the batch has made it.
    node.queue().submit(CancelInstance{key, "at once"},
                        [&](Result<Instance> answer) { cancelled = std::move(answer); });
    node.commit();
    ASSERT_TRUE(cancelled && *cancelled);
    EXPECT_EQ(node.instance(key).status, InstanceStatus::cancelled);
    EXPECT_TRUE(node.poll("t").empty());
}

TEST_F(CommitterTest, GivesUpWithTheErrorWhenTheStoreStaysAway) {
    FaultPlan plan{.first = 3, .count = 1'000'000};
    FaultyDatabase faulty(database_, plan);
    TestNode node(faulty, clock_);
    node.upload(kOneTask);  // Calls 1 and 2.
    std::optional<Result<Instance>> answer;
    node.queue().submit(starting(1), [&](Result<Instance> result) { answer = std::move(result); });
    for (int round = 0; round < 20; ++round) {
        EXPECT_TRUE(node.commit_once().unhealthy);
    }
    EXPECT_FALSE(answer) << "it is time that counts, not tries";
    clock_.advance(limits::kCommandPatience);
    EXPECT_TRUE(node.commit_once().unhealthy) << "nothing tells that it is back";
    ASSERT_TRUE(answer && !*answer);
    EXPECT_EQ(answer->error().code, ErrorCode::unavailable);
    plan.first = 0;
    EXPECT_TRUE(node.start("one")) << "the next one finds the store healthy again";
}

TEST_F(CommitterTest, GivesJobsToParkedPollsWithTheirBirth) {
    TestNode node(database_, clock_);
    node.upload(kOneTask);
    EXPECT_TRUE(node.poll("t").empty());  // Now it is known that there is no backlog.
    const TestNode::Poll parked = node.begin_poll({.workspace_id = kWorkspace,
                                                   .worker_id = kWorker,
                                                   .job_types = {{"t"}},
                                                   .jobs_max = 1,
                                                   .lease_duration = kLease,
                                                   .wait_duration = 10s});
    const Instance started = *node.start("one", R"({"x": 1})");
    ASSERT_EQ(parked.jobs().size(), 1u);
    const DeliveredJob job = parked.jobs()[0];
    EXPECT_EQ(instance_of(job.job.key.id), started.key.id);
    EXPECT_EQ(job.job.status, JobState::locked);
    EXPECT_EQ(job.job.lease_token, 1);
    EXPECT_EQ(job.variables.text(), R"({"x":1})");
    EXPECT_EQ(*node.reader().job(job.job.key), job.job);
}

TEST_F(CommitterTest, KeepsThePlaceOfAPollWhoseBatchFailed) {
    FaultPlan plan{.first = 5, .count = 1};
    FaultyDatabase faulty(database_, plan);
    TestNode node(faulty, clock_);
    node.upload(kOneTask);
    EXPECT_TRUE(node.poll("t").empty());
    const TestNode::Poll parked = node.begin_poll({.workspace_id = kWorkspace,
                                                   .worker_id = kWorker,
                                                   .job_types = {{"t"}},
                                                   .lease_duration = kLease,
                                                   .wait_duration = 10s});
    // After the upload and the claim, call 4 loads; call 5 fails to apply, then all is tried again.
    ASSERT_TRUE(node.start("one"));
    ASSERT_EQ(parked.jobs().size(), 1u);
    EXPECT_EQ(parked.jobs()[0].job.lease_token, 1);
}

}  // namespace
}  // namespace millrace
