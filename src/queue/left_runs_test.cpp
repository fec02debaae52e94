#include "queue/left_runs.hpp"

#include <gtest/gtest.h>

#include "support/executions.hpp"

namespace millrace {
namespace {

RunPtr run(std::uint64_t number) {
    Execution execution = execution_in(QueueStatus::dispatched);
    execution.key = execution_key(number);
    return std::make_shared<WatchedRun>(WatchedRun{.execution = execution});
}

ExecutionId id(std::uint64_t number) {
    return execution_key(number).id;
}

const RunPlace kHere{"main", "orders"};
const RunPlace kThere{"main", "bills"};

using Places = std::vector<RunPlace>;

TEST(LeftRuns, KnowsTheRunsAndWhereTheyAre) {
    LeftRuns left;
    EXPECT_EQ(left.places(), Places{});
    left.add(run(1), kHere, kNoon);
    left.add(run(2), kThere, kNoon);
    left.add(run(3), kHere, kNoon);
    EXPECT_EQ(left.places(), (Places{kThere, kHere}));
    EXPECT_EQ(left.find(id(2))->execution.key, execution_key(2));
    EXPECT_EQ(left.find(id(4)), nullptr);
    left.forget(id(1));
    left.forget(id(1));
    EXPECT_TRUE(left.has_place(kHere));
    left.forget(id(3));
    EXPECT_FALSE(left.has_place(kHere));
}

TEST(LeftRuns, ForgetsWhatOthersHaveLookedAtByNow) {
    LeftRuns left;
    left.add(run(1), kHere, kNoon + 1s);
    left.add(run(2), kHere, kNoon + 2s);
    left.add(run(1), kHere, kNoon + 9s);
    left.forget_until(kNoon + 2s);
    EXPECT_NE(left.find(id(1)), nullptr) << "it was looked at again here";
    EXPECT_EQ(left.find(id(2)), nullptr);
    left.forget_until(kNoon + 9s);
    EXPECT_EQ(left.places(), Places{});
}

}  // namespace
}  // namespace millrace
