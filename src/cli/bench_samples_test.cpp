#include "cli/bench_samples.hpp"

#include <gtest/gtest.h>

namespace millrace::cli {
namespace {

using namespace std::chrono_literals;

TEST(Percentiles, AreSamples) {
    Samples samples;
    for (int i = 100; i >= 1; --i) samples.emplace_back(i * 1ms);
    const Percentiles result = percentiles_of(samples);
    EXPECT_EQ(result.p50, 50);
    EXPECT_EQ(result.p95, 95);
    EXPECT_EQ(result.p99, 99);
    EXPECT_EQ(result.max, 100);
    EXPECT_EQ(percentiles_of({3ms}).p50, 3);
    EXPECT_EQ(percentiles_of({}).max, 0);
}

TEST(ShortNumber, HasThreeDigitsThatMeanSomething) {
    EXPECT_EQ(short_number(0.12345), "0.123");
    EXPECT_EQ(short_number(4.567), "4.57");
    EXPECT_EQ(short_number(45.67), "45.7");
    EXPECT_EQ(short_number(4567.8), "4568");
}

}  // namespace
}  // namespace millrace::cli
