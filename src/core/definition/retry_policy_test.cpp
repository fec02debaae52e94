#include "core/definition/retry_policy.hpp"

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

TEST(RetryPolicy, KeepsToItsBounds) {
    struct Row {
        const char* name;
        RetryPolicy policy;
        std::int32_t failures;
        Duration delay;
    };
    const Row rows[] = {
        {"constant", {.initial_delay = 5s, .factor = 1, .max_delay = 1h}, 100, 5s},
        {"fractions", {.initial_delay = 4s, .factor = 1.5, .max_delay = 1h}, 3, 9s},
        {"longer than the maximum at once", {.initial_delay = 9s, .max_delay = 5s}, 1, 5s},
        {"beyond all numbers",
         {.initial_delay = 24h, .factor = 100, .max_delay = 168h},
         1000,
         168h},
        {"no failure counted", {.initial_delay = 3s, .max_delay = 1h}, 0, 3s},
        {"a count below zero", {.initial_delay = 3s, .max_delay = 1h}, -5, 3s},
        {"no delay to spread", {.max_delay = 1h, .jitter = 1}, 3, 0s},
    };
    for (const Row& row : rows) {
        EXPECT_EQ(delay_after(row.policy, row.failures, kJob), row.delay) << row.name;
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
