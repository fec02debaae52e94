#include "engine/instance_ids.hpp"

#include <gtest/gtest.h>

#include "support/fake_clock.hpp"
#include "support/jobs.hpp"

namespace millrace {
namespace {

class DescendingRandom final : public Random {
public:
    std::uint64_t next() override { return --last_; }

private:
    std::uint64_t last_ = 0;
};

TEST(InstanceIdsTest, GrowWithinAMillisecondWhateverTheDiceSay) {
    FakeClock clock(kNoon);
    DescendingRandom random;
    InstanceIds ids(clock, random);
    InstanceId last = ids.next();
    for (int n = 0; n < 1'000; ++n) {
        if (n % 100 == 0) clock.advance(1ms);
        const InstanceId next = ids.next();
        EXPECT_LT(last, next);
        EXPECT_EQ(next.value.sequence(), 0u);
        last = next;
    }
}

TEST(InstanceIdsTest, BeginAtTheTimeOfTheClock) {
    FakeClock clock(kNoon);
    DescendingRandom random;
    InstanceIds ids(clock, random);
    const auto milliseconds = ids.next().value.high >> 16;
    EXPECT_EQ(milliseconds, static_cast<std::uint64_t>(kNoon.time_since_epoch() / 1ms));
}

}  // namespace
}  // namespace millrace
