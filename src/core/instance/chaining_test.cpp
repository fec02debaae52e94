#include "core/instance/chaining.hpp"

#include <gtest/gtest.h>

#include "core/explain/explain_instance.hpp"
#include "core/instance/advance.hpp"
#include "core/instance/state_text.hpp"
#include "support/instance_driver.hpp"

namespace millrace {
namespace {

using namespace std::chrono_literals;

const DefinitionPtr kChained = flow(R"([{"id": "a", "type": "END"}])",
                                    R"({"autoStartNextWorkflow": true, "nextWorkflowId": "next"})");

// An instance that has ended, and whose chained start has to wait.
InstanceEffects put_off() {
    Instance instance;
    instance.key = {{Id128::for_instance(kNoon, 7)}, kWorkspace};
    instance.started_at = kNoon;
    InstanceEffects effects = *advance(*kChained, std::move(instance), Started{}, kNoon);
    EXPECT_EQ(effects.chained_definition, "next");
    EXPECT_EQ(effects.instance.status, InstanceStatus::completed);
    put_chain_off(effects, kNoon);
    return effects;
}

TimerFired firing(const InstanceEffects& effects) {
    return {effects.timers.back().key.id};
}

TEST(PutChainOff, KeepsTheInstanceOpenUntilTheStart) {
    const InstanceEffects waiting = put_off();
    EXPECT_EQ(waiting.instance.status, InstanceStatus::active);
    EXPECT_FALSE(waiting.instance.completed_at);
    EXPECT_TRUE(waiting.chained_definition.empty());
    ASSERT_EQ(waiting.timers.size(), 1u);
    EXPECT_EQ(waiting.timers[0].fire_at, kNoon);
    EXPECT_EQ(waiting.step_executions.size(), 1u) << "its steps are over";

    const auto fired = advance(*kChained, waiting.instance, firing(waiting), kNoon + 1s);
    ASSERT_TRUE(fired);
    EXPECT_EQ(fired->instance.status, InstanceStatus::completed);
    EXPECT_EQ(fired->instance.completed_at, kNoon + 1s);
    EXPECT_EQ(fired->chained_definition, "next");
    EXPECT_EQ(fired->automatic_steps, 1) << "the chain's steps go on being counted";
    EXPECT_EQ(fired->timers_removed, std::vector{waiting.timers[0].key});
    EXPECT_FALSE(fired->instance.state.pending_start);
    const auto again = advance(*kChained, fired->instance, firing(waiting), kNoon + 1s);
    ASSERT_FALSE(again);
    EXPECT_EQ(again.error().code, ErrorCode::not_found);
}

// Its due row goes with it: it would be tried for ever.
TEST(PutChainOff, EndsWithoutASuccessorThatCanNeverBe) {
    const InstanceEffects waiting = put_off();
    const StepRefused refusal{waiting.timers[0].key.id.value.sequence(), "no room"};
    const auto ended = advance(*kChained, waiting.instance, refusal, kNoon + 1s);
    ASSERT_TRUE(ended);
    EXPECT_EQ(ended->instance.status, InstanceStatus::completed);
    EXPECT_EQ(ended->instance.state.chain_failure, "CHAIN_FAILED: no room");
    EXPECT_EQ(ended->timers_removed, std::vector{waiting.timers[0].key});
    EXPECT_TRUE(ended->chained_definition.empty());
}

TEST(PutStartOff, FailsAnInstanceThatCanNeverBegin) {
    Instance instance;
    instance.key = {{Id128::for_instance(kNoon, 7)}, kWorkspace};
    const InstanceEffects waiting = put_start_off(std::move(instance), kNoon);
    const StepRefused refusal{waiting.timers[0].key.id.value.sequence(), "no room"};
    const auto ended = advance(*kChained, waiting.instance, refusal, kNoon + 1s);
    ASSERT_TRUE(ended);
    EXPECT_EQ(ended->instance.status, InstanceStatus::failed);
    EXPECT_EQ(ended->instance.failure_reason, "no room");
    EXPECT_EQ(ended->timers_removed, std::vector{waiting.timers[0].key});
}

TEST(PutChainOff, IsStored) {
    const InstanceState state = put_off().instance.state;
    EXPECT_EQ(parse_state_text(state_text(state)), state);
}

TEST(PutChainOff, IsExplained) {
    const Explanation told = explain(InstanceFacts{.instance = put_off().instance}, kNoon);
    ASSERT_EQ(told.reasons.size(), 1u);
    EXPECT_EQ(told.reasons[0].code, "WAITS_FOR_CHAINED_START");
}

TEST(PutChainOff, EndsWithACancellation) {
    const InstanceEffects waiting = put_off();
    const auto cancelled = advance(*kChained, waiting.instance, CancelRequested{"enough"}, kNoon);
    ASSERT_TRUE(cancelled);
    EXPECT_EQ(cancelled->instance.status, InstanceStatus::cancelled);
    EXPECT_TRUE(cancelled->chained_definition.empty());
    EXPECT_EQ(cancelled->timers_removed, std::vector{waiting.timers[0].key});
    EXPECT_FALSE(cancelled->instance.state.pending_start);
}

TEST(PutChainOff, WaitsWhileTheInstanceIsSuspended) {
    const InstanceEffects waiting = put_off();
    const auto suspended = advance(*kChained, waiting.instance, SuspendRequested{}, kNoon);
    ASSERT_TRUE(suspended);
    EXPECT_EQ(suspended->timers_removed, std::vector{waiting.timers[0].key});
    EXPECT_FALSE(advance(*kChained, suspended->instance, firing(waiting), kNoon));
    const auto resumed = advance(*kChained, suspended->instance, ResumeRequested{}, kNoon + 1h);
    ASSERT_TRUE(resumed);
    EXPECT_EQ(resumed->instance.status, InstanceStatus::active);
    ASSERT_EQ(resumed->timers.size(), 1u);
    EXPECT_EQ(resumed->timers[0].fire_at, kNoon + 1h);
    const auto fired = advance(*kChained, resumed->instance, firing(*resumed), kNoon + 1h);
    ASSERT_TRUE(fired);
    EXPECT_EQ(fired->chained_definition, "next");
}

TEST(PutChainOff, LetsPeopleChangeTheVariablesOfTheNext) {
    const InstanceEffects waiting = put_off();
    const auto changed = advance(*kChained, waiting.instance,
                                 VariablesChanged{.changes = json_of(R"({"n":1})")}, kNoon);
    ASSERT_TRUE(changed);
    EXPECT_EQ(changed->instance.status, InstanceStatus::active);
    EXPECT_TRUE(changed->instance.state.pending_start);
    EXPECT_EQ(changed->instance.variables.text(), R"({"n":1})");
}

}  // namespace
}  // namespace millrace
