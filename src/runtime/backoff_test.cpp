#include "runtime/backoff.hpp"

#include <gtest/gtest.h>

namespace millrace::runtime {
namespace {

using namespace std::chrono_literals;

class FixedRandom final : public Random {
public:
    std::uint64_t next() override { return value; }
    std::uint64_t value = 0;
};

TEST(BackoffTest, DoublesUpToItsLimitAndBeginsAnewAfterSuccess) {
    FixedRandom random;
    Backoff backoff(random, {.first = 50ms, .most = 300ms});
    for (const Duration expected : {50ms, 100ms, 200ms, 300ms, 300ms}) {
        EXPECT_EQ(backoff.next(), expected);
    }
    backoff.reset();
    EXPECT_EQ(backoff.next(), 50ms);
}

TEST(BackoffTest, TakesARandomPartAwayButNeverMoreThanHalf) {
    FixedRandom random;
    for (const std::uint64_t dice : {0u, 1u, 10'000u, 25'000u, 25'001u, 4'000'000'000u}) {
        random.value = dice;
        Backoff backoff(random, {.first = 50ms, .most = 5s});
        const Duration pause = backoff.next();
        EXPECT_GE(pause, 25ms) << dice;
        EXPECT_LE(pause, 50ms) << dice;
    }
    random.value = 10'000;
    EXPECT_EQ(Backoff(random, {}).next(), 40ms);
}

}  // namespace
}  // namespace millrace::runtime
