// The work of one command has one limit, however many steps, branches and entries share it.

#include <gtest/gtest.h>

#include <string>

#include "base/json/write.hpp"
#include "core/instance/advance.hpp"
#include "core/limits.hpp"
#include "support/instance_driver.hpp"

namespace millrace {
namespace {

// A little more: what is under way when the share is spent is done first.
constexpr std::int64_t kOvershoot = limits::kCommandWorkMax + limits::kCommandWorkMax / 5;

struct CommandRun {
    Instance instance{};
    WorkMeter meter{};
    InstanceEffects effects{};
};

CommandRun run_of(const DefinitionPtr& definition, json::Value variables = json::Object{}) {
    CommandRun run;
    run.instance.key = {{Id128::for_instance(kNoon, 7)}, kWorkspace};
    run.instance.variables = *Variables::from_value(variables);
    Result<InstanceEffects> effects =
        advance(*definition, run.instance, Started{}, kNoon, run.meter);
    EXPECT_TRUE(effects);
    if (effects) run.effects = std::move(*effects);
    return run;
}

void expect_work_limit(const CommandRun& run) {
    EXPECT_EQ(run.effects.instance.status, InstanceStatus::failed);
    const std::string reason = run.effects.instance.failure_reason.value_or("");
    EXPECT_NE(reason.find("WorkLimitReached"), std::string::npos) << reason;
    EXPECT_LE(run.meter.spent(), kOvershoot);
}

json::Value loop_of_branches() {
    json::Value branches{json::Object{}};
    for (int i = 0; i < 255; ++i) {
        branches.set("count(1..9000, # < 0) > " + std::to_string(i), "end");
    }
    branches.set("true", "d");
    json::Value decision{json::Object{}};
    decision.set("id", "d");
    decision.set("type", "DECISION");
    decision.set("conditionalNextSteps", std::move(branches));
    json::Value end{json::Object{}};
    end.set("id", "end");
    end.set("type", "END");
    return json::Array{decision, end};
}

// It took 291 seconds: 255 branches, each with a share of its own, times a thousand rounds.
TEST(WorkLimit, IsOneForAllBranchesAndRounds) {
    const CommandRun run = run_of(flow(json::write(loop_of_branches())));
    expect_work_limit(run);
    EXPECT_EQ(run.effects.step_executions.size(), 1u) << "in its first round";
}

DefinitionPtr transforming(const std::string& expression, int count) {
    json::Value entries{json::Object{}};
    for (int i = 0; i < count; ++i) entries.set("v" + std::to_string(i), expression);
    json::Value step{json::Object{}};
    step.set("id", "t");
    step.set("type", "TRANSFORMATION");
    step.set("transformations", std::move(entries));
    step.set("nextStep", "end");
    json::Value end{json::Object{}};
    end.set("id", "end");
    end.set("type", "END");
    return flow(json::write(json::Array{step, end}));
}

// One tenant stopped the timers of all tenants with it.
TEST(WorkLimit, CountsTheBytesThatEntriesLookThrough) {
    json::Value variables{json::Object{}};
    variables.set("s", std::string(1'000'000, 'a'));
    const std::string late = std::string(40, 'a') + "b";
    const CommandRun run =
        run_of(transforming("${count(1..20, s contains \"" + late + "\")}", 600), variables);
    expect_work_limit(run);
    EXPECT_EQ(run.effects.instance.variables.text(), run.instance.variables.text());
}

// Each entry looked through all variables, and the last one through all entries.
TEST(WorkLimit, ManySmallEntriesCostAsManyAsThereAre) {
    const CommandRun half = run_of(transforming("${1}", 20'000));
    const CommandRun whole = run_of(transforming("${1}", 40'000));
    EXPECT_EQ(whole.effects.instance.status, InstanceStatus::completed);
    EXPECT_LE(whole.meter.total(), 5 * half.meter.total() / 2);
}

TEST(WorkLimit, EveryAttemptHasAllOfIt) {
    const DefinitionPtr definition = transforming("${count(1..10000, # > 0)}", 1);
    const CommandRun first = run_of(definition);
    const CommandRun second = run_of(definition);
    EXPECT_EQ(first.effects.instance.status, InstanceStatus::completed);
    EXPECT_EQ(first.meter.total(), second.meter.total()) << "the same input costs the same";
}

// Reading and writing what an instance has costs it nothing of its share, once.
TEST(WorkLimit, LargeVariablesCanBeDecidedOnAndTransformed) {
    json::Value variables{json::Object{}};
    json::Array items;
    for (int i = 0; i < 300'000; ++i) items.emplace_back(i);
    variables.set("items", std::move(items));
    variables.set("n", 0);
    const CommandRun run = run_of(flow(R"([
        {"id": "t1", "type": "TRANSFORMATION", "transformations": {"n": "${n + 1}"},
         "nextStep": "t2"},
        {"id": "t2", "type": "TRANSFORMATION", "transformations": {"n": "${n + 1}"},
         "nextStep": "d"},
        {"id": "d", "type": "DECISION",
         "conditionalNextSteps": {"n == 2": "end", "true": "t1"}},
        {"id": "end", "type": "END"}])"),
                                  variables);
    EXPECT_EQ(run.effects.instance.status, InstanceStatus::completed)
        << run.effects.instance.failure_reason.value_or("");
    EXPECT_EQ(run.effects.instance.state.variables_version, 2);
    EXPECT_TRUE(run.effects.instance.variables.text().ends_with("\"n\":2}"));
    EXPECT_GE(run.meter.total(), 100'000) << "the committer is told of it";
}

// Jobs of a parallel branch keep what was there when they were made, whatever is written when.
TEST(WorkLimit, JobsSeeWhatEarlierStepsHaveSet) {
    const CommandRun run = run_of(flow(R"([
        {"id": "t1", "type": "TRANSFORMATION", "transformations": {"n": "${1}"},
         "nextStep": "g"},
        {"id": "g", "type": "PARALLEL_GATEWAY", "parallelNextSteps": ["a", "t2"], "joinStep": "j"},
        {"id": "a", "type": "SERVICE_TASK", "jobType": "a", "nextStep": "j"},
        {"id": "t2", "type": "TRANSFORMATION", "transformations": {"n": "${2}"}, "nextStep": "b"},
        {"id": "b", "type": "SERVICE_TASK", "jobType": "b", "nextStep": "j"},
        {"id": "j", "type": "JOIN_GATEWAY", "nextStep": "end"},
        {"id": "end", "type": "END"}])"));
    ASSERT_EQ(run.effects.jobs.size(), 2u);
    ASSERT_TRUE(run.effects.jobs[0].variables);
    EXPECT_EQ(run.effects.jobs[0].variables->text(), R"({"n":1})");
    EXPECT_FALSE(run.effects.jobs[1].variables) << "it borrows the instance's";
    EXPECT_EQ(run.effects.instance.variables.text(), R"({"n":2})");
}

// Forty open jobs that keep four megabytes each.
TEST(WriteLimit, FailsTheInstanceWhoseJobsWouldKeepTooMuch) {
    std::string branches;
    std::string steps;
    for (int i = 0; i < 40; ++i) {
        const std::string id = "s" + std::to_string(i);
        branches += (i == 0 ? "\"" : ",\"") + id + "\"";
        steps += R"({"id":")" + id + R"(","type":"SERVICE_TASK","jobType":"x","nextStep":"j"},)";
    }
    const std::string document =
        R"([{"id":"g","type":"PARALLEL_GATEWAY","joinStep":"j","parallelNextSteps":[)" + branches +
        "]}," + steps + R"({"id":"j","type":"JOIN_GATEWAY","nextStep":"end"},
        {"id":"end","type":"END"}])";
    json::Value variables{json::Object{}};
    variables.set("blob", std::string(4'000'000, 'x'));
    InstanceDriver driver(flow(document), json::write(variables));
    ASSERT_TRUE(driver.start());
    EXPECT_TRUE(driver.complete("s0", R"({"n":1})")) << "whoever reports is told that it is done";
    EXPECT_EQ(driver.instance().status, InstanceStatus::failed);
    EXPECT_NE(driver.instance().failure_reason->find("WriteLimitReached"), std::string::npos);
}

}  // namespace
}  // namespace millrace
