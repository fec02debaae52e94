#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <ostream>

#include "simulator/invariants.hpp"
#include "support/executions.hpp"
#include "support/instances.hpp"

namespace millrace::sim {

inline constexpr const char* kDocument = R"({"id": "order", "name": "Order", "steps": [
  {"id": "charge", "name": "Charge", "type": "SERVICE_TASK", "jobType": "charge-card",
   "nextStep": "approve"},
  {"id": "approve", "name": "Approve", "type": "USER_TASK", "nextStep": "split",
   "boundaryEvents": [
     {"type": "TIMER", "duration": "PT1M", "interrupting": true, "targetStepId": "done"},
     {"type": "TIMER", "duration": "PT1M", "targetStepId": "charge"}]},
  {"id": "split", "name": "Split", "type": "PARALLEL_GATEWAY", "joinStep": "join",
   "parallelNextSteps": ["charge", "approve"]},
  {"id": "join", "name": "Join", "type": "JOIN_GATEWAY", "nextStep": "done"},
  {"id": "done", "name": "Done", "type": "END"}]})";

inline const DefinitionRef kOrder{1, "order", 1};

// One instance with a job that a worker holds, one that waits for a person with two timers, and
// workspaces with and without limits.
class Scene {
public:
    Scene() {
        DefinitionRecord definition = definition_record();
        definition.content = kDocument;
        DefinitionRecord other = definition;
        other.workspace_id = {"default"};
        const Workspace acme{.id = kWorkspace, .plan = "UNLIMITED", .created_at = kNoon};
        const Workspace limited{.id = {"limited"}, .plan = "FREE", .created_at = kNoon};
        const Workspace rated{
            .id = {"rated"}, .plan = "UNLIMITED", .rate_per_second = 1.0, .created_at = kNoon};
        do_well({.instances_new = {waiting_instance(1, kOrder), at_task()},
                 .jobs_new = {locked_job(1)},
                 .timers_new = {{timer_key(2, 3), kNoon + 60s}, {timer_key(2, 4), kNoon + 60s}},
                 .user_tasks_new = {open_user_task(2)},
                 .definitions = {definition, other},
                 .workspaces = {acme, limited, rated}});
    }

    static Instance at_task() {
        Instance instance = waiting_instance(2, kOrder);
        instance.state.sequence = 4;
        instance.state.open_steps = {{.sequence = 1,
                                      .step_id = "approve",
                                      .type = StepType::user_task,
                                      .started_at = kNoon,
                                      .timers = {{3, 0, kNoon + 60s}, {4, 1, kNoon + 60s}}}};
        return instance;
    }

    Instance instance(std::uint64_t n) const { return *ledger.find(instance_key(n)); }

    // Something that keeps all rules.
    void do_well(const Writes& writes, Instant at = kNoon) {
        Findings findings;
        const Changes changes = ledger.apply(writes, at);
        check_all(changes, ledger, default_plans(), findings);
        rates.look_at(changes, ledger, default_plans(), findings);
        EXPECT_EQ(findings.first().value_or(""), "");
    }

    // Instance 1 ends well.
    void complete() {
        Instance over = instance(1);
        over.status = InstanceStatus::completed;
        over.completed_at = kNoon;
        over.state.open_steps.clear();
        do_well({.instances_changed = {over},
                 .jobs_removed = {job_key(1)},
                 .step_executions = {done_step()}});
    }

    static StepExecution done_step() {
        StepExecution line = closed_step(1);
        line.tries = {{.worker_id = kWorker, .lease_token = 1, .ended_at = kNoon}};
        return line;
    }

    Ledger ledger;
    RateWatch rates;
};

struct Bad {
    std::string name{};
    std::function<void(const Changes&, const Ledger&, Findings&)> rule{};
    std::function<Writes(Scene&)> writes{};
    std::string sentence{};
    Duration after{};
};

inline std::ostream& operator<<(std::ostream& out, const Bad& bad) {
    return out << bad.name;
}

// Applies the commit and asks the rule.
inline std::string found_by(const Bad& bad) {
    Scene scene;
    const Writes writes = bad.writes(scene);
    Findings findings;
    const Changes changes = scene.ledger.apply(writes, kNoon + bad.after);
    bad.rule(changes, scene.ledger, findings);
    return findings.first().value_or("nothing");
}

inline void rule_of_rows(const Changes& changes, const Ledger&, Findings& findings) {
    for (const std::string& misfit : changes.misfits) findings.add(misfit);
}

inline std::string name_of(const testing::TestParamInfo<Bad>& info) {
    return info.param.name;
}

}  // namespace millrace::sim
