#include "core/queue/rank.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "support/jobs.hpp"

namespace millrace {
namespace {

TEST(Rank, PriorityIsWorthItsStep) {
    EXPECT_EQ(rank_at(kNoon, kPriorityMax), kNoon);
    EXPECT_EQ(rank_at(kNoon, 0), kNoon + kPriorityMax * kPriorityStep);
    EXPECT_LT(rank_at(kNoon, 5), rank_at(kNoon, 4));
    EXPECT_LT(rank_at(kNoon, 5), rank_at(kNoon + 1us, 5)) << "first come, first served";
}

RC_GTEST_PROP(Rank, NobodyIsOvertakenForEver, ()) {
    const auto low = *rc::gen::inRange(0, kPriorityMax + 1);
    const auto high = *rc::gen::inRange(0, kPriorityMax + 1);
    const auto waited = std::chrono::seconds{*rc::gen::inRange(0, 3'600)};
    const bool is_ahead = rank_at(kNoon, low) <= rank_at(kNoon + waited, high);
    RC_ASSERT(is_ahead == (waited >= (high - low) * kPriorityStep));
}

}  // namespace
}  // namespace millrace
