#include <gtest/gtest.h>

#include "simulator/other_stores.hpp"
#include "simulator/run_seed.hpp"

namespace millrace::sim {
namespace {

SeedResult run_on(std::string_view store, std::uint64_t seed) {
    StoreKind kind = *store_kind(store);
    // The same faults on all of them.
    kind.is_waiting_for_nobody = false;
    return run_seed(seed, {.store = kind, .keeps_trace = true});
}

// Goal: what one store does, all do.
// Method: the same seed on each. Memory and SQLite are compared commit for commit; PostgreSQL may
// look at more or fewer items of a line in one admission, so there only the invariants count.
class SimulatedStores : public testing::TestWithParam<std::uint64_t> {};

TEST_P(SimulatedStores, DoTheSame) {
    const SeedResult expected = run_on("memory", GetParam());
    EXPECT_EQ(expected.violation, std::nullopt);
    EXPECT_EQ(run_on("sqlite", GetParam()).trace, expected.trace);
    EXPECT_EQ(run_on("postgres", GetParam()).violation, std::nullopt);
}

INSTANTIATE_TEST_SUITE_P(Seeds, SimulatedStores, testing::Range<std::uint64_t>(1, 13));

}  // namespace
}  // namespace millrace::sim
