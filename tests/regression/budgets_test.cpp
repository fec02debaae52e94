// One command takes and writes only so much, whatever a definition asks for. Every test here runs
// on every store.

#include <gtest/gtest.h>

#include <set>
#include <string>

#include "base/json/write.hpp"
#include "engine/cancel_instance.hpp"
#include "engine/fire_timer.hpp"
#include "engine/list_instances.hpp"
#include "store_conformance/world.hpp"
#include "support/test_node.hpp"

namespace millrace {
namespace {

constexpr std::string_view kAgain = R"({"id": "again", "name": "Again",
    "autoStartNextWorkflow": true, "nextWorkflowId": "again",
    "steps": [{"id": "end", "name": "End", "type": "END"}]})";

std::string megabytes_of_variables() {
    json::Value variables{json::Object{}};
    variables.set("blob", std::string(3'900'000, 'x'));
    return json::write(variables);
}

std::size_t bytes_of(const Writes& writes) {
    std::size_t bytes = 0;
    for (const Instance& row : writes.instances_new) bytes += row.variables.text().size();
    for (const Instance& row : writes.instances_changed) bytes += row.variables.text().size();
    return bytes;
}

class Budgets : public testing::TestWithParam<Candidate> {
protected:
    void SetUp() override { watch(node_); }

    void watch(TestNode& node) {
        node.listener().note_batch_end = [this](const BatchEnd& batch) {
            bytes_max_ = std::max(bytes_max_, bytes_of(batch.writes));
        };
    }

    std::vector<Instance> all_instances(TestNode& node) {
        const auto listing = read(ListInstances{.filter = {.workspace_id = kWorkspace},
                                                .page = {.size = 500, .bytes_max = 1 << 30}},
                                  node.reader());
        EXPECT_TRUE(listing);
        return listing ? listing->items : std::vector<Instance>{};
    }

    // As the loop of the timers does, but not until nothing is due: such a chain is long.
    void fire_due(TestNode& node, int rounds) {
        for (int round = 0; round < rounds; ++round) {
            const auto due = node.reader().due_timers(clock_.now(), 10);
            ASSERT_TRUE(due);
            ASSERT_EQ(due->size(), 1u);
            EXPECT_EQ(*node.run(FireTimer{due->front()}), FiredTimer::started);
        }
    }

    std::unique_ptr<World> world_ = GetParam().make();
    FakeClock clock_{kNoon};
    TestNode node_{world_->database(), clock_};
    std::size_t bytes_max_ = 0;
};

// One start wrote 7.9 GB in one transaction.
TEST_P(Budgets, AChainOfLargeInstancesGoesOnInManyTransactions) {
    node_.upload(kAgain);
    const Result<Instance> started = node_.start("again", megabytes_of_variables());
    ASSERT_TRUE(started);
    const std::size_t at_once = all_instances(node_).size();
    EXPECT_LE(at_once, 3u);
    fire_due(node_, 3);
    const std::size_t before_crash = all_instances(node_).size();
    EXPECT_GT(before_crash, at_once);

    // Another process goes on where this one stopped.
    clock_.advance(std::chrono::seconds{1});
    TestNode other(world_->database(), clock_);
    watch(other);
    fire_due(other, 2);
    const std::vector<Instance> instances = all_instances(other);
    EXPECT_GT(instances.size(), before_crash);
    EXPECT_LE(bytes_max_, 3 * 4'000'000u);

    // Every link of the chain was started once, and only the last one is open.
    std::set<InstanceId> parents;
    std::vector<Instance> open;
    for (const Instance& instance : instances) {
        if (instance.parent_id) {
            EXPECT_TRUE(parents.insert(*instance.parent_id).second) << "started twice";
        }
        if (!is_terminal(instance.status)) open.push_back(instance);
    }
    EXPECT_EQ(parents.size() + 1, instances.size());
    ASSERT_EQ(open.size(), 1u);
    const Instance last = other.instance(open[0].key);
    ASSERT_TRUE(last.state.pending_start);
    EXPECT_EQ(last.state.pending_start->automatic_steps, static_cast<int>(instances.size()));

    ASSERT_TRUE(other.run(CancelInstance{.instance = last.key, .reason = "enough"}));
    other.settle();
    EXPECT_EQ(all_instances(other).size(), instances.size());
    EXPECT_TRUE(other.reader().due_timers(clock_.now(), 10)->empty());
}

TEST_P(Budgets, AChainOfSmallInstancesStaysInOneTransaction) {
    node_.upload(kAgain);
    const Result<Instance> started = node_.start("again", R"({"n": 1})");
    ASSERT_TRUE(started);
    EXPECT_EQ(started->status, InstanceStatus::completed);
    EXPECT_EQ(node_.listener().batch_sizes.size(), 2u) << "the upload and the start";
    EXPECT_TRUE(node_.reader().due_timers(clock_.now(), 10)->empty());
}

std::string endless_decision() {
    std::string branches;
    for (int i = 0; i < 255; ++i) {
        branches += R"("count(1..9000, # < 0) > )" + std::to_string(i) + R"(": "end", )";
    }
    return R"({"id": "endless", "name": "Endless", "steps": [
        {"id": "a", "name": "A", "type": "SERVICE_TASK", "jobType": "t", "nextStep": "d"},
        {"id": "d", "name": "D", "type": "DECISION", "conditionalNextSteps": {)" +
           branches + R"("true": "d"}},
        {"id": "end", "name": "End", "type": "END"}]})";
}

// One request stopped a server for 291 seconds.
TEST_P(Budgets, AReportIsAcceptedAlthoughTheStepsBehindItTakeTooMuchWork) {
    node_.upload(endless_decision());
    const Instance started = *node_.start("endless");
    const std::vector<DeliveredJob> jobs = node_.poll("t");
    ASSERT_EQ(jobs.size(), 1u);
    EXPECT_TRUE(node_.complete(jobs[0])) << "whoever reports has done its part";
    const Instance failed = node_.instance(started.key);
    EXPECT_EQ(failed.status, InstanceStatus::failed);
    EXPECT_NE(failed.failure_reason.value_or("").find("WorkLimitReached"), std::string::npos);
    EXPECT_EQ(node_.told(started.key), "a:COMPLETED d:FAILED");
}

INSTANTIATE_TEST_SUITE_P(All, Budgets, testing::ValuesIn(kCandidates),
                         [](const auto& world) { return world.param.name; });

}  // namespace
}  // namespace millrace
