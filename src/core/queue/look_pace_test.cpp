#include "core/queue/look_pace.hpp"

#include <gtest/gtest.h>

#include "support/jobs.hpp"

namespace millrace {
namespace {

constexpr ExecutionId kId{};  // Its dice show nothing.

TEST(LookPace, GrowsWithTheAgeOfARunBetweenItsBounds) {
    struct Row {
        Duration age;
        Duration wait;
    };
    for (const Row& row : {Row{-3s, 5s}, Row{0s, 5s}, Row{20s, 5s}, Row{40s, 10s}, Row{200s, 50s},
                           Row{240s, 60s}, Row{1h, 60s}}) {
        EXPECT_EQ(look_after({}, row.age, kId), row.wait) << row.age.count();
    }
}

TEST(LookPace, KeepsItsLowerBoundWhenTheBoundsContradict) {
    EXPECT_EQ(look_after({.shortest = 5s, .longest = 1s}, 1h, kId), 5s);
}

TEST(LookPace, SpreadsRunsThatBeganTogether) {
    Duration lowest = 1h;
    Duration highest{};
    for (std::uint64_t random = 1; random <= 200; ++random) {
        const ExecutionId id{Id128::for_instance(kNoon, random * 0x9E3779B97F4A7C15u)};
        const Duration wait = look_after({}, 1h, id);
        EXPECT_EQ(wait, look_after({}, 1h, id));
        lowest = std::min(lowest, wait);
        highest = std::max(highest, wait);
    }
    EXPECT_GE(lowest, 60s);
    EXPECT_LT(highest, 67'500ms);
    EXPECT_GT(highest - lowest, 5s);
}

}  // namespace
}  // namespace millrace
