#pragma once

#include <gtest/gtest.h>

#include <string>
#include <tuple>

#include "store/memory/memory_database.hpp"
#include "support/fake_clock.hpp"
#include "support/faulty_database.hpp"
#include "support/jobs.hpp"

namespace millrace {

// A kind of fault, and how many there are in a row.
class EveryFault : public testing::TestWithParam<std::tuple<Fault, int>> {};

// `calls_min` tells when a scenario has become too small to mean anything.
// A story is made of a database and a clock, and told by run().
template <class Story>
void run_with_every_fault(Fault fault, int count, int calls_min) {
    for (int first = 1;; ++first) {
        SCOPED_TRACE("fault from call " + std::to_string(first));
        FakeClock clock(kNoon);
        MemoryDatabase memory;
        FaultPlan plan{.fault = fault, .first = first, .count = count};
        FaultyDatabase database(memory, plan);
        Story(database, clock).run();

        if (testing::Test::HasFailure()) return;
        if (plan.calls < first) {
            EXPECT_GT(first, calls_min);
            return;
        }
    }
}

inline std::string case_name(const testing::TestParamInfo<EveryFault::ParamType>& info) {
    constexpr const char* kNames[] = {"Refused", "ReplyLost", "CommitLost"};
    const auto [fault, count] = info.param;
    return kNames[static_cast<int>(fault)] + std::to_string(count);
}

}  // namespace millrace
