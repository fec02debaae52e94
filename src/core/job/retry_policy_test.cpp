#include "core/job/retry_policy.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <set>

namespace millrace {
namespace {

using namespace std::chrono_literals;

const JobId kJob{Id128{17, 4}};

TEST(RetryPolicy, GrowsToItsMaximum) {
    struct Row {
        std::int32_t failures;
        Duration delay;
    };
    const RetryPolicy policy{.initial_delay = 1s, .factor = 3, .max_delay = 20s};
    for (const Row& row : {Row{1, 1s}, Row{2, 3s}, Row{3, 9s}, Row{4, 20s}, Row{1000, 20s}}) {
        EXPECT_EQ(delay_after(policy, row.failures, kJob), row.delay) << row.failures;
    }
}

TEST(RetryPolicy, WaitsNotAtAllByDefault) {
    EXPECT_EQ(delay_after(RetryPolicy{}, 1, kJob), Duration::zero());
}

TEST(RetryPolicy, SpreadsWithinItsJitter) {
    const RetryPolicy policy{.initial_delay = 10s, .factor = 1, .max_delay = 60s, .jitter = 0.5};
    std::set<Duration> seen;
    for (std::uint64_t number = 0; number < 200; ++number) {
        const Duration delay = delay_after(policy, 1, JobId{Id128{number << 16, 2}});
        EXPECT_GE(delay, 5s);
        EXPECT_LE(delay, 15s);
        seen.insert(delay);
    }
    EXPECT_GT(seen.size(), 150u);
    EXPECT_LT(*seen.begin(), 6s);
    EXPECT_GT(*seen.rbegin(), 14s);
}

TEST(RetryPolicy, NeverWaitsLongerThanItsMaximum) {
    const RetryPolicy policy{.initial_delay = 10s, .factor = 1, .max_delay = 10s, .jitter = 1};
    for (std::int32_t failures = 1; failures < 50; ++failures) {
        EXPECT_LE(delay_after(policy, failures, kJob), 10s);
    }
}

TEST(RetryPolicy, GivesTheSameAnswerTwice) {
    const RetryPolicy policy{.initial_delay = 10s, .factor = 2, .max_delay = 60s, .jitter = 1};
    EXPECT_EQ(delay_after(policy, 2, kJob), delay_after(policy, 2, kJob));
    EXPECT_NE(delay_after(policy, 2, kJob), delay_after(policy, 1, kJob));
}

}  // namespace
}  // namespace millrace
