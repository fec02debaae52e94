// Goal: a stored row that cannot be read is refused to the commands that need it, and to nobody
// else; nothing is taken for absent and removed.
// Method: rows are spoiled by SQL beside the store; commands about them and about others come in
// one batch.

#include <gtest/gtest.h>

#include "engine/cancel_instance.hpp"
#include "engine/fire_timer.hpp"
#include "engine/remove_instances.hpp"
#include "store_conformance/world.hpp"
#include "support/test_node.hpp"

namespace millrace {
namespace {

constexpr std::string_view kOneTask = R"({"id": "one", "name": "One", "steps": [
    {"id": "a", "name": "A", "type": "SERVICE_TASK", "jobType": "t", "nextStep": "end",
     "boundaryEvents": [{"type": "TIMER", "duration": "PT1H", "interrupting": true,
                         "targetStepId": "end"}]},
    {"id": "end", "name": "End", "type": "END"}]})";

class UnreadableRowsTest : public testing::TestWithParam<Candidate> {
protected:
    void SetUp() override { node_.upload(kOneTask); }

    // The instance of a job, whose state no program of ours can read.
    void spoil_state() {
        world_->spoil("instance", "state = '{\"newer\":1}'", "variables LIKE '%bad%'");
    }

    std::unique_ptr<World> world_ = GetParam().make();
    FakeClock clock_{kNoon};
    TestNode node_{world_->database(), clock_};
};

TEST_P(UnreadableRowsTest, OnlyTheCommandThatNeedsOneIsRefused) {
    const Instance bad = *node_.start("one", R"({"bad": 1})");
    const Instance good = *node_.start("one");
    const std::vector<DeliveredJob> jobs = node_.poll("t");
    ASSERT_EQ(jobs.size(), 2U);
    spoil_state();

    std::vector<std::optional<ErrorCode>> answers;
    for (const DeliveredJob& each : jobs) {
        node_.queue().submit(
            CompleteJob{.job = each.job.key, .proof = {kWorker}}, [&](const Result<Job>& done) {
                answers.push_back(done ? std::nullopt
                                       : std::optional<ErrorCode>(done.error().code));
            });
    }
    node_.commit();
    ASSERT_EQ(answers.size(), 2U);
    EXPECT_EQ(answers[0], ErrorCode::internal);
    EXPECT_EQ(answers[1], std::nullopt);
    EXPECT_EQ(node_.instance(good.key).status, InstanceStatus::completed);
    const auto cancelled = node_.run(CancelInstance{.instance = bad.key});
    ASSERT_FALSE(cancelled);
    EXPECT_EQ(cancelled.error().code, ErrorCode::internal);
}

TEST_P(UnreadableRowsTest, ATimerOfOneStays) {
    const Instance bad = *node_.start("one", R"({"bad": 1})");
    spoil_state();
    clock_.advance(2h);
    const auto due = node_.reader().due_timers(clock_.now(), 10);
    ASSERT_TRUE(due);
    ASSERT_EQ(due->size(), 1U);
    const auto fired = node_.run(FireTimer{.timer = due->front()});
    ASSERT_FALSE(fired);
    EXPECT_EQ(fired.error().code, ErrorCode::internal);
    EXPECT_EQ(node_.reader().due_timers(clock_.now(), 10)->size(), 1U);
    EXPECT_EQ(instance_of(due->front().id), bad.key.id);
}

TEST_P(UnreadableRowsTest, RetentionPassesOverThem) {
    const Instance bad = *node_.start("one", R"({"bad": 1})");
    const Instance good = *node_.start("one");
    for (const DeliveredJob& each : node_.poll("t")) ASSERT_TRUE(node_.complete(each));
    spoil_state();
    clock_.advance(1h);
    const auto removed =
        node_.run(RemoveInstances{.instances = {bad.key, good.key}, .ended_before = clock_.now()});
    ASSERT_TRUE(removed) << removed.error().detail;
    EXPECT_EQ(removed->count, 1U);
    EXPECT_FALSE(node_.reader().instance(good.key)->has_value());
}

TEST_P(UnreadableRowsTest, VariablesOfAnOlderProgramFailTheirInstance) {
    node_.upload(R"({"id": "two", "name": "Two", "steps": [
        {"id": "a", "name": "A", "type": "SERVICE_TASK", "jobType": "t", "nextStep": "way"},
        {"id": "way", "name": "Way", "type": "DECISION", "conditionalNextSteps": {"true": "end"}},
        {"id": "end", "name": "End", "type": "END"}]})");
    const Instance bad = *node_.start("two", R"({"bad": 1})");
    const Instance good = *node_.start("two");
    world_->spoil("instance", R"(variables = '{"a":1,"a":2}')", "variables LIKE '%bad%'");
    for (const DeliveredJob& each : node_.poll("t")) {
        EXPECT_TRUE(node_.complete(each, R"({"b": 1})"));
    }
    EXPECT_EQ(node_.instance(bad.key).status, InstanceStatus::failed);
    EXPECT_EQ(node_.instance(good.key).status, InstanceStatus::completed);
}

INSTANTIATE_TEST_SUITE_P(Sql, UnreadableRowsTest, testing::ValuesIn(kSqlCandidates),
                         [](const auto& store) { return store.param.name; });

// What no caller may bring together, on every store.
class LargeVariablesTest : public testing::TestWithParam<Candidate> {
protected:
    static std::string zeros(const std::string& name, std::size_t count) {
        std::string text = "{\"" + name + "\":[0";
        for (std::size_t i = 1; i < count; ++i) text += ",0";
        return text + "]}";
    }

    std::unique_ptr<World> world_ = GetParam().make();
    FakeClock clock_{kNoon};
    TestNode node_{world_->database(), clock_};
};

TEST_P(LargeVariablesTest, ACompletionThatWouldBeTooMuchIsRefusedAndLosesNothing) {
    for (const std::string_view second :
         {R"("type": "DECISION", "conditionalNextSteps": {"true": "end"})",
          R"("type": "SERVICE_TASK", "jobType": "u", "nextStep": "end")"}) {
        node_.upload(R"({"id": "large", "name": "Large", "steps": [
            {"id": "a", "name": "A", "type": "SERVICE_TASK", "jobType": "t", "nextStep": "b"},
            {"id": "b", "name": "B", )" +
                     std::string(second) + R"(},
            {"id": "end", "name": "End", "type": "END"}]})");
        const Instance started = *node_.start("large", zeros("a", 700'000));
        const DeliveredJob job = node_.poll("t").at(0);
        const auto refused = node_.complete(job, zeros("b", 700'000));
        ASSERT_FALSE(refused);
        EXPECT_EQ(refused.error().code, ErrorCode::too_large);
        EXPECT_TRUE(node_.instance(started.key).variables == started.variables);
        EXPECT_TRUE(node_.complete(job, R"({"b": 1})"));
        EXPECT_NE(node_.instance(started.key).status, InstanceStatus::failed);
    }
}

INSTANTIATE_TEST_SUITE_P(All, LargeVariablesTest, testing::ValuesIn(kCandidates),
                         [](const auto& store) { return store.param.name; });

}  // namespace
}  // namespace millrace
