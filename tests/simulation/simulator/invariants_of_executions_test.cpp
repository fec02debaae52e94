// Goal: every invariant can fail.
// Method: a ledger in a good state; one commit that must not be; the one rule that has to see it.

#include "simulator/invariants_scene.hpp"

namespace millrace::sim {
namespace {

void rule_of_limits(const Changes& changes, const Ledger& ledger, Findings& findings) {
    check_limits(changes, ledger, default_plans(), findings);
}

Writes new_execution(const Execution& execution) {
    return {.executions_new = {{execution, {}}}};
}

// One that waits in a workspace, then a commit that makes `edit` of it.
std::function<Writes(Scene&)> changing_execution(Execution before,
                                                 std::function<void(Execution&)> edit) {
    return [=](Scene& scene) {
        // However it got there.
        scene.ledger.apply(new_execution(before), kNoon);
        Execution row = before;
        edit(row);
        return Writes{.executions_changed = {row}};
    };
}

Execution in_workspace(std::uint64_t n, const std::string& workspace) {
    Execution execution = waiting_execution(n, workspace);
    execution.executor = ExecutorKind::temporal;
    execution.target = "main";
    return execution;
}

Writes let_in(Scene& scene, const std::string& workspace, const std::string& key) {
    Writes writes;
    for (std::uint64_t n = 1; n <= 2; ++n) {
        Execution execution = in_workspace(n, workspace);
        execution.concurrency_key = key;
        scene.ledger.apply(new_execution(execution), kNoon);
        writes.executions_changed.push_back(claim(execution, kOwner, kNoon + 30s, kNoon));
    }
    return writes;
}

const std::vector<Bad> kOfExecutions{
    {"ExecutionMadeTwice", rule_of_rows,
     [](Scene& scene) {
         scene.do_well(new_execution(waiting_execution()));
         return new_execution(waiting_execution());
     },
     "made twice"},
    {"BornActive", check_executions,
     [](Scene&) { return new_execution(execution_in(QueueStatus::claimed)); },
     "where nothing begins"},
    {"ChangedAfterCompletion", check_executions,
     changing_execution(execution_in(QueueStatus::completed),
                        [](Execution& row) {
                            row.queue_status = QueueStatus::pending;
                            row.place = QueuePlace::ready;
                            row.completed_at.reset();
                        }),
     "after its end"},
    {"RetriedOneGoesOn", check_executions,
     changing_execution(
         [] {
             Execution row = execution_in(QueueStatus::failed);
             row.retried_by = execution_key(2).id;
             return row;
         }(),
         [](Execution& row) {
             row.queue_status = QueueStatus::pending;
             row.place = QueuePlace::ready;
             row.completed_at.reset();
         }),
     "after its end"},
    {"RunsAnew", check_executions,
     changing_execution(execution_in(QueueStatus::failed),
                        [](Execution& row) {
                            row.queue_status = QueueStatus::pending;
                            row.place = QueuePlace::ready;
                            row.completed_at.reset();
                            row.rank_at += 1s;
                        }),
     "has run and begins anew"},
    {"ClaimWithoutToken", check_executions,
     changing_execution(execution_in(QueueStatus::pending),
                        [](Execution& row) {
                            row = claim(row, kOwner, kNoon + 30s, kNoon);
                            row.claim.token = 0;
                        }),
     "under an old token"},
    {"ClaimTokenLowered", check_executions,
     changing_execution(execution_in(QueueStatus::claimed),
                        [](Execution& row) { row.claim.token = 0; }),
     "lower token"},
    {"OwnerWithoutToken", check_executions,
     changing_execution(execution_in(QueueStatus::claimed),
                        [](Execution& row) { row.claim.owner = "replica-2"; }),
     "another owner"},
    {"TakenOverEarly", check_executions,
     changing_execution(execution_in(QueueStatus::claimed),
                        [](Execution& row) {
                            row.claim = {row.claim.token + 1, "replica-2"};
                            row.claimed_at = kNoon + 29s;
                        }),
     "before its lease", 29s},
    {"DelayNotKept", check_executions,
     changing_execution(put_off(waiting_execution(), kNoon + 60s, kNoon),
                        [](Execution& row) {
                            row.place = QueuePlace::ready;
                            row.due_at.reset();
                        }),
     "before its time", 59s},
    {"DelayInTheWrongLine", check_executions,
     changing_execution(waiting_execution(), [](Execution& row) { row.due_at = kNoon + 60s; }),
     "stands in line", 59s},
    {"LetInTooEarly", check_executions,
     changing_execution(
         [] {
             Execution row = in_workspace(1, "default");
             row.not_before = kNoon + 60s;
             return row;
         }(),
         [](Execution& row) { row = claim(row, kOwner, kNoon + 60s, kNoon); }),
     "was asked for", 59s},
    {"LetInTooLate", check_executions,
     changing_execution(
         [] {
             Execution row = in_workspace(1, "default");
             row.deadline = kNoon + 60s;
             return row;
         }(),
         [](Execution& row) { row = claim(row, kOwner, kNoon + 90s, kNoon + 60s); }),
     "after its deadline", 60s},
    {"LateTooEarly", check_executions,
     changing_execution(
         [] {
             Execution row = waiting_execution();
             row.deadline = kNoon + 60s;
             return row;
         }(),
         [](Execution& row) { row = failed(row, failure::kDeadlineExceeded, "", kNoon); }),
     "before its deadline", 59s},
    {"LookedAtByNobody", check_executions,
     changing_execution(execution_in(QueueStatus::claimed),
                        [](Execution& row) { row.due_at.reset(); }),
     "by nobody"},
    {"CancelForgotten", check_executions,
     changing_execution(cancel_requested(execution_in(QueueStatus::dispatched), false, kNoon),
                        [](Execution& row) { row.cancel_requested_at.reset(); }),
     "forgotten"},
    {"RetryOfAStranger", check_executions,
     [](Scene& scene) {
         scene.ledger.apply(new_execution(execution_in(QueueStatus::failed)), kNoon);
         Execution row = waiting_execution(2);
         row.retry_of = execution_key(1).id;
         return new_execution(row);
     },
     "does not know it"},
    {"ExecutionRemovedWhileOpen", check_executions,
     [](Scene& scene) {
         scene.do_well(new_execution(waiting_execution()));
         return Writes{.executions_removed = {execution_key(1)}};
     },
     "before its end"},
    {"SlotWithoutRun", check_native_runs,
     changing_execution(waiting_execution(),
                        [](Execution& row) { row = claim(row, kOwner, {}, kNoon); }),
     "slot and no run"},
    {"RunWithoutSlot", check_native_runs,
     [](Scene& scene) {
         Instance row = waiting_instance(9, kOrder);
         row.execution_id = execution_key(1).id;
         scene.ledger.apply(new_execution(waiting_execution(1, "acme")), kNoon);
         return Writes{.instances_new = {row}};
     },
     "without the slot"},
    {"SlotKept", check_native_runs,
     [](Scene& scene) {
         Instance row = waiting_instance(9, kOrder);
         row.execution_id = execution_key(1).id;
         Execution execution = claim(waiting_execution(1, "acme"), kOwner, {}, kNoon);
         execution.instance_id = row.key.id;
         scene.ledger.apply({.instances_new = {row}, .executions_new = {{execution, {}}}}, kNoon);
         row.status = InstanceStatus::cancelled;
         row.completed_at = kNoon;
         return Writes{.instances_changed = {row}};
     },
     "kept the slot"},
    {"LimitExceeded", rule_of_limits, [](Scene& scene) { return let_in(scene, "limited", ""); },
     "may have 1"},
    {"KeyExceeded", rule_of_limits, [](Scene& scene) { return let_in(scene, "acme", "k"); },
     "the key k of acme has 2"},
    {"WorkspaceRemovedAtWork", check_workspaces,
     [](Scene&) { return Writes{.workspaces_removed = {kWorkspace}}; }, "without being paused"},
    {"WorkspaceMadeTwice", check_workspaces,
     [](Scene&) { return Writes{.workspaces = {{.id = kWorkspace, .created_at = kNoon + 1s}}}; },
     "made twice"},
    {"KeyOfNothing", check_workspaces,
     [](Scene&) {
         return Writes{.idempotency_records = {{.key = {kWorkspace, "instance.start", "k"},
                                                .instance_id = instance_key(9).id}}};
     },
     "is not there"},
};

class InvariantsOfExecutions : public testing::TestWithParam<Bad> {};

TEST_P(InvariantsOfExecutions, SeeWhatMustNotBe) {
    const std::string found = found_by(GetParam());
    EXPECT_NE(found.find(GetParam().sentence), std::string::npos) << found;
}

INSTANTIATE_TEST_SUITE_P(Executions, InvariantsOfExecutions, testing::ValuesIn(kOfExecutions),
                         name_of);

TEST(RateWatch, SeesMoreThanTheRate) {
    Scene scene;
    Writes two = let_in(scene, "rated", "");
    two.lines = {{{"rated"}, {.rate = {.tokens = -1, .counted_at = kNoon}}}};
    Findings findings;
    const Changes changes = scene.ledger.apply(two, kNoon);
    scene.rates.look_at(changes, scene.ledger, default_plans(), findings);
    EXPECT_TRUE(findings.first().value_or("").starts_with("the workspace rated lets in more"));
}

TEST(RateWatch, SeesWhatIsNotCounted) {
    Scene scene;
    const Writes two = let_in(scene, "rated", "");
    Findings findings;
    const Changes changes = scene.ledger.apply(two, kNoon);
    scene.rates.look_at(changes, scene.ledger, default_plans(), findings);
    EXPECT_TRUE(findings.first().value_or("").starts_with("the workspace rated does not count"));
}

}  // namespace
}  // namespace millrace::sim
