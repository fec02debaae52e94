#include "queue/gathered_commands.hpp"

#include <gtest/gtest.h>

#include "queue/note_attention.hpp"
#include "support/executions.hpp"
#include "support/jobs.hpp"

namespace millrace {
namespace {

using Urgency = GatheredCommands::Urgency;

class GatheredCommandsTest : public testing::Test {
protected:
    void add(Urgency urgency, Instant now) {
        number_ += 1;
        commands_.add(CommandQueue::make_command(NoteAttention{.key = execution_key(number_)},
                                                 [](const Result<NotedAttention>&) {}),
                      urgency, now);
    }

    int wakes_ = 0;
    std::uint64_t number_ = 0;
    CommandQueue queue_{[this] {
        wakes_ += 1;
    }};
    GatheredCommands commands_{queue_, 20ms};
};

TEST_F(GatheredCommandsTest, NothingIsHandedOverWhereNothingIs) {
    commands_.hand_over(false, kNoon);
    EXPECT_EQ(wakes_, 0);
    EXPECT_FALSE(commands_.next_at());
}

TEST_F(GatheredCommandsTest, WhatCanWaitDoesSoWhileMoreIsExpected) {
    add(Urgency::can_wait, kNoon);
    add(Urgency::can_wait, kNoon + 10ms);
    commands_.hand_over(true, kNoon + 19ms);
    EXPECT_EQ(queue_.waiting(), 0u);
    EXPECT_EQ(commands_.next_at(), kNoon + 20ms) << "the first of them does not wait longer";
    commands_.hand_over(true, kNoon + 20ms);
    EXPECT_EQ(queue_.waiting(), 2u);
    EXPECT_EQ(wakes_, 1) << "together";
    EXPECT_FALSE(commands_.next_at());
}

TEST_F(GatheredCommandsTest, NobodyWaitsForCompanyThatDoesNotCome) {
    add(Urgency::can_wait, kNoon);
    commands_.hand_over(false, kNoon);
    EXPECT_EQ(queue_.waiting(), 1u);
}

TEST_F(GatheredCommandsTest, WhatIsUrgentTakesTheOthersWithIt) {
    add(Urgency::can_wait, kNoon);
    add(Urgency::at_once, kNoon + 1ms);
    commands_.hand_over(true, kNoon + 1ms);
    EXPECT_EQ(queue_.waiting(), 2u);
    add(Urgency::can_wait, kNoon + 1ms);
    commands_.hand_over(true, kNoon + 2ms);
    EXPECT_EQ(queue_.waiting(), 2u) << "the next one waits again";
}

TEST_F(GatheredCommandsTest, EnoughOfThemDoNotWaitForMore) {
    for (int n = 0; n < 63; ++n) add(Urgency::can_wait, kNoon);
    commands_.hand_over(true, kNoon);
    EXPECT_EQ(queue_.waiting(), 0u);
    add(Urgency::can_wait, kNoon);
    commands_.hand_over(true, kNoon);
    EXPECT_EQ(queue_.waiting(), 64u);
}

}  // namespace
}  // namespace millrace
