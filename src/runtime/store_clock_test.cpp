#include "runtime/store_clock.hpp"

#include <gtest/gtest.h>

namespace millrace::runtime {
namespace {

using namespace std::chrono_literals;

constexpr Instant kNoon{1'700'000'000s};

class SettableClock final : public Clock {
public:
    Instant now() const override { return now_; }
    void advance(Duration duration) { now_ += duration; }

private:
    Instant now_ = kNoon;
};

class StoreClockTest : public testing::Test {
protected:
    // One exchange of a millisecond with a server that reads its clock half-way.
    void sample(Duration server_offset) {
        const Instant before = local_.now();
        local_.advance(1ms);
        clock_.observe(before + 500us + server_offset, before, local_.now());
    }

    SettableClock local_;
    StoreClock clock_{local_};
};

TEST_F(StoreClockTest, IsTheLocalClockBeforeTheFirstSample) {
    EXPECT_EQ(clock_.now(), kNoon);
}

TEST_F(StoreClockTest, FollowsTheServerAndIsNeverAheadOfIt) {
    for (const Duration offset : {10s, 11s, 12s}) {
        sample(offset);
        EXPECT_LE(clock_.now(), local_.now() + offset);
        EXPECT_GE(clock_.now(), local_.now() + offset - 1ms);
    }
}

TEST_F(StoreClockTest, KeepsTheBestOfTheLatestSamples) {
    sample(10s);
    const Duration offset = clock_.now() - local_.now();
    const Instant before = local_.now();
    local_.advance(2s);  // A slow reply says little.
    clock_.observe(before + 10s, before, local_.now());
    EXPECT_EQ(clock_.now() - local_.now(), offset);
}

TEST_F(StoreClockTest, SlowsDownButNeverGoesBackWhenTheServerDoes) {
    sample(10s);
    Instant last = clock_.now();
    for (int i = 0; i < 200; ++i) {
        local_.advance(100ms);
        sample(5s);
        ASSERT_GT(clock_.now(), last);
        last = clock_.now();
    }
    EXPECT_LE(clock_.now(), local_.now() + 5s);
    EXPECT_GE(clock_.now(), local_.now() + 5s - 1ms);
}

TEST_F(StoreClockTest, TheFirstSampleCorrectsALocalClockThatIsAhead) {
    EXPECT_EQ(clock_.now(), kNoon);
    sample(-1h);
    EXPECT_LE(clock_.now(), local_.now() - 1h);
    const Instant last = clock_.now();
    local_.advance(1s);
    EXPECT_EQ(clock_.now(), last + 1s) << "and it does not stand still";
}

TEST_F(StoreClockTest, GoesOnAsBeforeWhenTheLocalClockIsSet) {
    for (const Duration step : {Duration(2h), Duration(-2h)}) {
        SettableClock wall;
        SettableClock steady;
        StoreClock clock(wall, steady);
        clock.observe(kNoon + 10s);
        wall.advance(step);
        EXPECT_EQ(clock.now(), kNoon + 10s) << "it is not ahead";
        for (int second = 1; second < 100; ++second) {
            wall.advance(1s);
            steady.advance(1s);
            clock.observe(kNoon + 10s + std::chrono::seconds{second});
            ASSERT_EQ(clock.now(), kNoon + 10s + std::chrono::seconds{second}) << "nor behind";
        }
    }
}

}  // namespace
}  // namespace millrace::runtime
