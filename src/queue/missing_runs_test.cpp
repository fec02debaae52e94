#include "queue/missing_runs.hpp"

#include <gtest/gtest.h>

#include "support/executions.hpp"

namespace millrace {
namespace {

const RemoteSettings kSettings{.missing_looks = 3, .missing_for = 10min};
const ExecutionId kId = execution_key(1).id;

TEST(MissingRuns, GivesUpWhatWasLookedForOftenAndLongEnough) {
    MissingRuns missing(kSettings);
    EXPECT_FALSE(missing.add(kId, kNoon));
    EXPECT_FALSE(missing.add(kId, kNoon + 10min)) << "too seldom";
    EXPECT_TRUE(missing.add(kId, kNoon + 11min));
}

TEST(MissingRuns, DoesNotGiveUpTooSoon) {
    MissingRuns missing(kSettings);
    for (const auto at : {0min, 1min, 2min, 3min, 9min}) {
        EXPECT_FALSE(missing.add(kId, kNoon + at));
    }
    EXPECT_TRUE(missing.add(kId, kNoon + 10min));
}

TEST(MissingRuns, BeginsAnewWhenItWasThereInBetween) {
    MissingRuns missing(kSettings);
    missing.add(kId, kNoon);
    missing.add(kId, kNoon + 5min);
    missing.forget(kId);
    EXPECT_FALSE(missing.add(kId, kNoon + 20min));
    EXPECT_EQ(missing.size(), 1u);
}

}  // namespace
}  // namespace millrace
