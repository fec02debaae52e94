#include "runtime/system_clock.hpp"

#include <gtest/gtest.h>

#include <thread>
#include <vector>

namespace millrace::runtime {
namespace {

using namespace std::chrono_literals;

constexpr Instant kNoon{1'700'000'000s};

TEST(ForwardTimeTest, FollowsTheWallClockForwards) {
    ForwardTime time;
    EXPECT_EQ(time.at(kNoon, 10s), kNoon);
    EXPECT_EQ(time.at(kNoon + 1s, 11s), kNoon + 1s);
    EXPECT_EQ(time.at(kNoon + 1h, 12s), kNoon + 1h);
}

TEST(ForwardTimeTest, GoesOnAtTheSteadyPaceWhenTheWallClockIsSetBack) {
    ForwardTime time;
    EXPECT_EQ(time.at(kNoon, 10s), kNoon);
    EXPECT_EQ(time.at(kNoon - 1h, 11s), kNoon + 1s);
    EXPECT_EQ(time.at(kNoon - 1h + 5s, 16s), kNoon + 6s);
}

TEST(ForwardTimeTest, IgnoresAReadingThatWasSuspendedBetweenTheClocks) {
    ForwardTime time;
    EXPECT_EQ(time.at(kNoon, 10s), kNoon);
    EXPECT_EQ(time.at(kNoon + 1s, 13s), kNoon + 3s);
}

TEST(SystemClockTest, NeverGoesBackInAnyThread) {
    const SystemClock clock;
    const auto run = [&clock] {
        Instant last = clock.now();
        for (int i = 0; i < 10'000; ++i) {
            const Instant now = clock.now();
            ASSERT_GE(now, last);
            last = now;
        }
    };
    std::vector<std::jthread> threads;
    for (int i = 0; i < 3; ++i) threads.emplace_back(run);
}

}  // namespace
}  // namespace millrace::runtime
