#include "simulator/run_seed.hpp"

#include <gtest/gtest.h>

#include "simulator/shrink.hpp"

namespace millrace::sim {
namespace {

TEST(RunSeed, ReplaysLineForLine) {
    for (const std::uint64_t seed : {1u, 2u, 3u, 4u, 5u}) {
        const RunOptions options{.store = memory_store(), .keeps_trace = true};
        const SeedResult first = run_seed(seed, options);
        const SeedResult second = run_seed(seed, options);
        EXPECT_EQ(first.trace, second.trace);
        EXPECT_EQ(first.hash, second.hash);
        EXPECT_EQ(first.steps, second.steps);
        EXPECT_GE(first.events, 300u);
    }
}

TEST(RunSeed, IsTheSameWhetherLinesAreKeptOrNot) {
    const SeedResult with = run_seed(7, {.store = memory_store(), .keeps_trace = true});
    const SeedResult without = run_seed(7, {.store = memory_store()});
    EXPECT_EQ(with.hash, without.hash);
    EXPECT_TRUE(without.trace.empty());
}

// Takes two users who cancel something for a bug.
class CancelledTwice final : public Observer {
public:
    void on_applied(const Writes&, Instant, int) override {}
    void on_claimed(const std::vector<DeliveredJob>&, Instant, int) override {}
    void on_asked(const Told& call) override {
        if (call.number == 1) cancels_ = 0;  // Another run begins.
    }
    void on_told(const Told& call) override {
        if (call.command == "instance.cancel" && call.outcome.is_ok()) cancels_ += 1;
    }
    std::optional<std::string> violation() const override {
        if (cancels_ < 2) return std::nullopt;
        return "Somebody has cancelled two instances.";
    }
    void compare(Reader&, Instant) override {}
    void at_end(Reader&, Instant) override {}

private:
    int cancels_ = 0;
};

TEST(Shrink, LeavesOutWhatAFailureDoesNotNeed) {
    CancelledTwice observer;
    const RunOptions options{.store = memory_store(), .observer = &observer};
    SeedResult failure;
    for (std::uint64_t seed = 1; seed < 50 && !failure.violation; ++seed) {
        failure = run_seed(seed, options);
    }
    ASSERT_TRUE(failure.violation);
    const SeedResult shrunk = shrink(failure, options);
    EXPECT_EQ(shrunk.violation, failure.violation);
    // Two starts and two cancels; the rest is chance.
    EXPECT_LE(shrunk.events, 12u);
}

}  // namespace
}  // namespace millrace::sim
