#include "core/instance/tries.hpp"

#include <gtest/gtest.h>

#include <string>

#include "core/instance/state_text.hpp"
#include "core/limits.hpp"

namespace millrace {
namespace {

InstanceState with_open_steps(std::uint32_t count) {
    InstanceState state;
    for (std::uint32_t i = 0; i < count; ++i) {
        state.open_steps.push_back(
            {.sequence = 2 * i + 1, .step_id = "s", .type = StepType::service_task});
    }
    return state;
}

Try failed_with(std::string message) {
    return {.worker_id = {"w"}, .outcome = TryOutcome::failed, .message = std::move(message)};
}

TEST(Tries, AreKeptAsTheyWereWhileThereIsRoom) {
    InstanceState state = with_open_steps(1);
    const std::string message(limits::kMessageBytesMax, 'x');
    for (int i = 0; i < 50; ++i) keep_try(state, state.open_steps[0], failed_with(message));
    ASSERT_EQ(state.open_steps[0].tries.size(), 50u);
    EXPECT_EQ(state.open_steps[0].tries.back().message, message);
}

TEST(Tries, KeepTheFirstAndTheLatest) {
    InstanceState state = with_open_steps(1);
    const std::string filler(limits::kMessageBytesMax - 10, 'x');
    for (int i = 0; i < 100; ++i) {
        keep_try(state, state.open_steps[0], failed_with(std::to_string(i) + filler));
    }
    const std::vector<Try>& tries = state.open_steps[0].tries;
    EXPECT_LT(tries.size(), 70u);
    EXPECT_EQ(tries.front().message, "0" + filler);
    EXPECT_EQ(tries.back().message, "99" + filler);
}

// A thousand steps, a hundred tries of each, messages of 16 KiB: 1.6 GB in one row.
TEST(Tries, OfAllStepsHaveALimitTogether) {
    InstanceState state = with_open_steps(limits::kOpenStepsMax);
    const std::string message(limits::kMessageBytesMax, 'x');
    for (int i = 0; i < 3; ++i) {
        for (OpenStep& step : state.open_steps) keep_try(state, step, failed_with(message));
    }
    for (const OpenStep& step : state.open_steps) {
        ASSERT_FALSE(step.tries.empty());
        EXPECT_GE(step.tries.back().message.size(), 256u) << "the latest one is told";
    }
    EXPECT_LE(state_text(state).size(), 2 * limits::kTriesBytesMax);
}

TEST(Tries, AreCutBetweenTwoCharacters) {
    InstanceState state = with_open_steps(2);
    const std::string message(limits::kMessageBytesMax, 'x');
    for (int i = 0; i < 100; ++i) keep_try(state, state.open_steps[0], failed_with(message));
    keep_try(state, state.open_steps[1], failed_with(std::string(255, 'x') + "\u00e9" + message));
    EXPECT_EQ(state.open_steps[1].tries.back().message, std::string(255, 'x'));
}

}  // namespace
}  // namespace millrace
