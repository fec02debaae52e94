// Goal: whatever call to the database fails, before its commit, in it, or with its reply lost,
// nothing that was acknowledged is lost and no step takes effect twice.
// Method: one scenario with every kind of step; its first call fails, then its second, and so on
// until a run meets no fault. After each run the history is the same. A second scenario repeats
// starts under a key, also when they were not answered with success.

#include "simulation/every_fault.hpp"

#include <gtest/gtest.h>

#include "engine/audited.hpp"
#include "engine/complete_user_task.hpp"
#include "engine/idempotent.hpp"
#include "engine/signal_wait.hpp"
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

// A caller that starts three instances and repeats each start until it succeeds, then once more. It
// gives up on a try where the committer does, so faults may last longer.
class RepeatedStarts {
public:
    RepeatedStarts(Database& database, FakeClock& clock) : clock_(clock), node_(database, clock) {}

    void run() {
        while (!node_.run(*make_upload(kWorkspace, json_of(kInvoice)))) clock_.advance(1s);
        for (const std::string key : {"a", "b", "c"}) {
            const InstanceId started = start_until_done(key);
            for (int again = 0; again < 2; ++again) EXPECT_EQ(start_until_done(key), started);
        }
        EXPECT_EQ(node_.reader().instances({kWorkspace}, {})->total, 3);
        EXPECT_EQ(node_.reader().audit({kWorkspace}, {})->total, 3);
        EXPECT_EQ(node_.reader().jobs({kWorkspace}, {})->total, 3) << "one job for each start";
    }

private:
    InstanceId start_until_done(const std::string& key) {
        for (int tries = 0; tries < 10; ++tries) {
            clock_.advance(1s);
            const InstanceKey fresh{{Id128::for_instance(clock_.now(), ++random_)}, kWorkspace};
            const auto once = node_.run(Idempotent<Audited<StartInstance>>{
                .request = {.request = {.key = fresh, .definition_id = "invoice"},
                            .trail = AuditTrail{{{fresh.id.value}, kWorkspace}, {}}},
                .key = IdempotencyKey{kWorkspace, std::string(StartInstance::kName), key},
            });
            if (once) return once->answer ? once->answer->key.id : once->instance_id.value();
        }
        ADD_FAILURE() << "the start never succeeds";
        return {};
    }

    FakeClock& clock_;
    TestNode node_;
    std::uint64_t random_ = 0;
};

TEST_P(EveryFault, LosesNothingAndRepeatsNothing) {
    const auto [fault, count] = GetParam();
    run_with_every_fault<Scenario>(fault, count, 30);
}

class EveryFaultOfStarts : public EveryFault {};

TEST_P(EveryFaultOfStarts, AKeyNeverStartsASecondInstance) {
    const auto [fault, count] = GetParam();
    run_with_every_fault<RepeatedStarts>(fault, count, 15);
}

// Five tries is what a committer takes: four faults in a row are the most that nobody notices.
INSTANTIATE_TEST_SUITE_P(All, EveryFault,
                         testing::Combine(testing::Values(Fault::refused, Fault::reply_lost,
                                                          Fault::commit_lost),
                                          testing::Values(1, 2, 4)),
                         case_name);

// Beyond five in a row the caller hears of it, and may be told that nobody knows.
INSTANTIATE_TEST_SUITE_P(All, EveryFaultOfStarts,
                         testing::Combine(testing::Values(Fault::refused, Fault::reply_lost,
                                                          Fault::commit_lost),
                                          testing::Values(1, 2, 4, 5, 7)),
                         case_name);

}  // namespace
}  // namespace millrace
