// Goal: whatever call to the database fails, before its commit, in it, or with its reply lost,
// nothing that was acknowledged is lost and no step takes effect twice.
// Method: one scenario with every kind of step; its first call fails, then its second, and so on
// until a run meets no fault. After each run the history is the same.

#include <gtest/gtest.h>

#include "engine/complete_user_task.hpp"
#include "engine/signal_wait.hpp"
#include "store/memory/memory_database.hpp"
#include "support/faulty_database.hpp"
#include "support/test_node.hpp"

namespace millrace {
namespace {

constexpr std::string_view kOrder = R"({"id": "order", "name": "Order",
  "autoStartNextWorkflow": true, "nextWorkflowId": "invoice", "steps": [
    {"id": "fork", "name": "F", "type": "PARALLEL_GATEWAY", "joinStep": "join",
     "parallelNextSteps": ["charge", "approve", "nested"]},
    {"id": "charge", "name": "C", "type": "SERVICE_TASK", "jobType": "t", "retryCount": 1,
     "nextStep": "join"},
    {"id": "approve", "name": "A", "type": "USER_TASK", "nextStep": "join"},
    {"id": "nested", "name": "N", "type": "PARALLEL_GATEWAY", "joinStep": "nestedJoin",
     "parallelNextSteps": ["pack", "label"]},
    {"id": "pack", "name": "P", "type": "SERVICE_TASK", "jobType": "t", "nextStep": "nestedJoin"},
    {"id": "label", "name": "L", "type": "TRANSFORMATION", "transformations": {"label": "x"},
     "nextStep": "nestedJoin"},
    {"id": "nestedJoin", "name": "J", "type": "JOIN_GATEWAY", "nextStep": "join"},
    {"id": "join", "name": "J", "type": "JOIN_GATEWAY", "nextStep": "ship"},
    {"id": "ship", "name": "S", "type": "WAIT", "nextStep": "end", "boundaryEvents": [
      {"type": "TIMER", "duration": "PT1H", "interrupting": true, "targetStepId": "chase"}]},
    {"id": "chase", "name": "D", "type": "SERVICE_TASK", "jobType": "t", "nextStep": "end"},
    {"id": "end", "name": "E", "type": "END"}]})";

constexpr std::string_view kInvoice = R"({"id": "invoice", "name": "Invoice", "steps": [
    {"id": "bill", "name": "B", "type": "SERVICE_TASK", "jobType": "t", "nextStep": "end"},
    {"id": "end", "name": "E", "type": "END"}]})";

constexpr std::string_view kToldOfOrder =
    "fork:COMPLETED charge:COMPLETED approve:COMPLETED nested:COMPLETED pack:COMPLETED "
    "label:COMPLETED nestedJoin:COMPLETED join:COMPLETED ship:FAILED chase:COMPLETED "
    "end:COMPLETED";

// What users and workers do until all is done: they repeat what was not answered with success.
class Scenario {
public:
    Scenario(Database& database, FakeClock& clock) : clock_(clock), node_(database, clock) {}

    void run() {
        node_.upload(kOrder);
        node_.upload(kInvoice);
        const Result<Instance> started = node_.start("order");
        ASSERT_TRUE(started) << started.error().detail;
        order_ = started->key;
        for (int round = 0; round < 40 && !is_done(); ++round) {
            if (!work()) pass_time();
        }
        EXPECT_TRUE(is_done()) << node_.told(order_);
        EXPECT_EQ(node_.told(order_), kToldOfOrder);
        EXPECT_EQ(invoices_.size(), 1u) << "the chained workflow runs once";
        for (const InstanceKey& invoice : invoices_) {
            EXPECT_EQ(node_.told(invoice), "bill:COMPLETED end:COMPLETED");
        }
    }

private:
    bool is_done() {
        if (node_.instance(order_).status != InstanceStatus::completed) return false;
        return !invoices_.empty() && std::ranges::all_of(invoices_, [&](const InstanceKey& key) {
            return node_.instance(key).status == InstanceStatus::completed;
        });
    }

    // Whether anything could be done.
    bool work() {
        const std::vector<DeliveredJob> jobs = node_.poll("t");
        for (const DeliveredJob& job : jobs) handle(job);
        const auto approved = node_.run(CompleteUserTask{.instance = order_, .step_id = "approve"});
        return !jobs.empty() || approved;
    }

    // The first try of a charge fails, so that retries are part of the scenario.
    void handle(const DeliveredJob& job) {
        const InstanceKey instance{instance_of(job.job.key.id), job.job.key.workspace_id};
        if (job.job.step_id == "bill") invoices_.insert(instance);
        if (job.job.step_id == "charge" && job.job.retries_remaining == 1) {
            EXPECT_TRUE(node_.fail(job, true));
        } else {
            EXPECT_TRUE(node_.complete(job, R"({"done": true})"));
        }
    }

    // Leases run out and timers fire.
    void pass_time() {
        clock_.advance(1h);
        node_.settle();
    }

    FakeClock& clock_;
    TestNode node_;
    InstanceKey order_;
    std::set<InstanceKey> invoices_;
};

class EveryFault : public testing::TestWithParam<std::tuple<Fault, int>> {};

TEST_P(EveryFault, LosesNothingAndRepeatsNothing) {
    const auto [fault, count] = GetParam();
    for (int first = 1;; ++first) {
        SCOPED_TRACE("fault from call " + std::to_string(first));
        FakeClock clock(kNoon);
        MemoryDatabase memory;
        FaultPlan plan{.fault = fault, .first = first, .count = count};
        FaultyDatabase database(memory, plan);
        Scenario(database, clock).run();

        if (HasFailure()) return;
        if (plan.calls < first) {
            EXPECT_GT(first, 30) << "the scenario has become too small to mean anything";
            return;
        }
    }
}

std::string case_name(const testing::TestParamInfo<EveryFault::ParamType>& info) {
    constexpr const char* kNames[] = {"Refused", "ReplyLost", "CommitLost"};
    const auto [fault, count] = info.param;
    return kNames[static_cast<int>(fault)] + std::to_string(count);
}

// Five tries is what a committer takes: four faults in a row are the most that nobody notices.
INSTANTIATE_TEST_SUITE_P(All, EveryFault,
                         testing::Combine(testing::Values(Fault::refused, Fault::reply_lost,
                                                          Fault::commit_lost),
                                          testing::Values(1, 2, 4)),
                         case_name);

}  // namespace
}  // namespace millrace
