#include "core/queue/admission.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>
#include <deque>
#include <map>
#include <numeric>

#include "support/executions.hpp"

namespace millrace {
namespace {

const AdmissionRound kPlenty{.share = 100, .items_left = 1'000};

WaitingExecution waiting(std::uint64_t number, const std::string& key = "",
                         std::int64_t active_of_key = 0) {
    WaitingExecution item{.execution = waiting_execution(number), .active_of_key = active_of_key};
    item.execution.concurrency_key = key;
    return item;
}

WorkspaceLine line_of(std::vector<WaitingExecution> ready, std::int64_t active = 0) {
    WorkspaceLine line{.active = active, .ready = std::move(ready)};
    line.ready_count = std::ssize(line.ready);
    return line;
}

WorkspaceLine line_with(std::size_t count, std::int64_t active = 0) {
    std::vector<WaitingExecution> ready;
    for (std::size_t i = 0; i < count; ++i) ready.push_back(waiting(i + 1));
    return line_of(std::move(ready), active);
}

using Places = std::vector<std::size_t>;

TEST(Admission, TakesTheFirstOnesThatHaveASlot) {
    const LineDecision decision = admit(line_with(5, 3), {.max_active = 5}, kPlenty, kNoon);
    EXPECT_EQ(decision.taken, (Places{0, 1}));
    EXPECT_TRUE(decision.left.is_full);
    EXPECT_TRUE(decision.has_more);
    EXPECT_FALSE(decision.state.is_runnable) << "until one ends";
}

TEST(Admission, AFullLineStaysAsItIs) {
    const LineDecision decision = admit(line_with(5, 7), {.max_active = 5}, kPlenty, kNoon);
    EXPECT_TRUE(decision.taken.empty());
    EXPECT_TRUE(decision.left.is_full);
    EXPECT_EQ(decision.state.virtual_time, 0);
}

TEST(Admission, ALineThatIsUsedUpSleeps) {
    const LineDecision decision = admit(line_with(3), {}, kPlenty, kNoon);
    EXPECT_EQ(decision.taken.size(), 3U);
    EXPECT_FALSE(decision.has_more);
    EXPECT_FALSE(decision.state.is_runnable);
}

TEST(Admission, ALineOfWhichNotAllWasReadGoesOn) {
    WorkspaceLine line = line_with(3);
    line.ready_count = 4;
    const LineDecision decision = admit(line, {}, kPlenty, kNoon);
    EXPECT_TRUE(decision.has_more);
    EXPECT_TRUE(decision.state.is_runnable);
}

TEST(Admission, SharesAreWeighted) {
    const AdmissionRound round{.share = 2, .items_left = 100};
    EXPECT_EQ(admit(line_with(9), {.weight = 1}, round, kNoon).taken.size(), 2U);
    const LineDecision heavy = admit(line_with(9), {.weight = 3}, round, kNoon);
    EXPECT_EQ(heavy.taken.size(), 6U);
    EXPECT_EQ(heavy.state.virtual_time, 2);
    EXPECT_TRUE(heavy.state.is_runnable);
}

TEST(Admission, NeverTakesMoreThanTheRoundHasLeft) {
    const AdmissionRound round{.share = 5, .items_left = 3};
    const LineDecision decision = admit(line_with(9), {.weight = 2}, round, kNoon);
    EXPECT_EQ(decision.taken.size(), 3U);
    EXPECT_TRUE(decision.state.is_runnable);
}

TEST(Admission, ExpiredOnesFailAndTakeNobodysPlace) {
    WorkspaceLine line = line_with(3);
    line.ready[0].execution.deadline = kNoon;
    line.ready[1].execution.deadline = kNoon + 1us;
    const LineDecision decision = admit(line, {.max_active = 1}, kPlenty, kNoon);
    EXPECT_EQ(decision.expired, (Places{0}));
    EXPECT_EQ(decision.taken, (Places{1}));
}

TEST(Admission, FullKeysAreParkedAndOthersPass) {
    const WorkspaceLine line = line_of({waiting(1, "a", 1), waiting(2, "a", 1), waiting(3, "b"),
                                        waiting(4, "b"), waiting(5), waiting(6)});
    const LineDecision decision = admit(line, {.max_per_key = 1}, kPlenty, kNoon);
    EXPECT_EQ(decision.parked, (Places{0, 1, 3}));
    EXPECT_EQ(decision.taken, (Places{2, 4, 5}));
}

TEST(Admission, ClosedTargetsWaitWithoutASlot) {
    WorkspaceLine line = line_with(3);
    for (const std::size_t i : {0u, 1u}) {
        line.ready[i].execution.executor = ExecutorKind::temporal;
        line.ready[i].execution.target = i == 0 ? "down" : "up";
    }
    const AdmissionRound round{.share = 9, .items_left = 9, .targets_closed = {"down", ""}};
    const LineDecision decision = admit(line, {.max_active = 2}, round, kNoon);
    EXPECT_EQ(decision.postponed, (Places{0}));
    EXPECT_EQ(decision.taken, (Places{1, 2})) << "a native one has no target";
}

TEST(Admission, RateIsABurstAndThenATrickle) {
    const WorkspaceLimits limits{.rate_per_second = 2};
    WorkspaceLine line = line_with(9);
    LineDecision decision = admit(line, limits, kPlenty, kNoon);
    EXPECT_EQ(decision.taken.size(), 2U);
    EXPECT_FALSE(decision.state.is_runnable);
    EXPECT_EQ(decision.left.rate_until, kNoon + 500ms);

    line.state = decision.state;
    decision = admit(line, limits, kPlenty, kNoon + 499ms);
    EXPECT_TRUE(decision.taken.empty());
    EXPECT_LE(*decision.left.rate_until - (kNoon + 500ms), 1us) << "but for rounding";
    line.state = decision.state;
    EXPECT_EQ(admit(line, limits, kPlenty, kNoon + 500ms).taken.size(), 1U);
    EXPECT_EQ(admit(line, limits, kPlenty, kNoon + 1h).taken.size(), 2U) << "no more than a burst";
}

TEST(Admission, SlowRatesLetOneInAtATime) {
    const WorkspaceLimits limits{.rate_per_second = 1.0 / 3'600};
    WorkspaceLine line = line_with(9);
    const LineDecision first = admit(line, limits, kPlenty, kNoon);
    EXPECT_EQ(first.taken.size(), 1U);
    EXPECT_EQ(first.left.rate_until, kNoon + 1h);
    line.state = first.state;
    EXPECT_EQ(admit(line, limits, kPlenty, *first.left.rate_until).taken.size(), 1U);
}

TEST(Admission, RatesBeyondReasonAreNoTrouble) {
    const LineState used{.rate = {.tokens = 0, .counted_at = kNoon}};
    const LineQuota never = quota_of({.rate_per_second = 0}, used, 0, kPlenty, kNoon + 24h);
    EXPECT_EQ(never, LineQuota{});
    const LineQuota slow = quota_of({.rate_per_second = 1e-300}, used, 0, kPlenty, kNoon);
    EXPECT_EQ(slow.rate_until, kNoon + 24h) << "another look then";
    EXPECT_EQ(quota_of({.rate_per_second = 1e300}, {}, 0, kPlenty, kNoon).count, 100);
}

// The embedded store goes by the machine's clock, which somebody may set right.
TEST(Admission, AClockThatWasSetBackByFarLetsTheRateGoOn) {
    const WorkspaceLimits limits{.rate_per_second = 10};
    WorkspaceLine line = line_with(100);
    line.state = admit(line, limits, kPlenty, kNoon + 24h).state;
    const LineDecision nothing = admit(line, limits, kPlenty, kNoon);
    EXPECT_TRUE(nothing.taken.empty());
    EXPECT_EQ(nothing.left.rate_until, kNoon + 100ms);
    line.state = nothing.state;
    EXPECT_EQ(admit(line, limits, kPlenty, kNoon + 100ms).taken.size(), 1u);
}

TEST(Admission, AClockThatWasSetBackGivesNothingTwice) {
    const WorkspaceLimits limits{.rate_per_second = 10};
    WorkspaceLine line = line_with(100);
    line.state = admit(line, limits, kPlenty, kNoon).state;
    line.state = admit(line, limits, kPlenty, kNoon - 10s).state;
    EXPECT_TRUE(admit(line, limits, kPlenty, kNoon).taken.empty());
}

// A line of any kind.
WorkspaceLine any_line() {
    const auto count = *rc::gen::inRange<std::size_t>(0, 30);
    const auto active = *rc::gen::inRange<std::int64_t>(0, 12);
    std::map<std::string, std::int64_t> active_of_key;
    std::vector<WaitingExecution> ready;
    for (std::size_t i = 0; i < count; ++i) {
        const std::string key = *rc::gen::element<std::string>("", "", "a", "b");
        const auto known =
            active_of_key.try_emplace(key, *rc::gen::inRange<std::int64_t>(0, 4)).first;
        WaitingExecution item = waiting(i + 1, key, known->second);
        const int deadline = *rc::gen::inRange(-5, 20);
        if (deadline < 5) item.execution.deadline = kNoon + std::chrono::seconds{deadline};
        ready.push_back(std::move(item));
    }
    WorkspaceLine line = line_of(std::move(ready), active);
    line.ready_count += *rc::gen::inRange(0, 3);
    return line;
}

WorkspaceLimits any_limits() {
    WorkspaceLimits limits{.max_per_key = *rc::gen::inRange(1, 5),
                           .weight = *rc::gen::inRange(1, 5)};
    if (*rc::gen::arbitrary<bool>()) limits.max_active = *rc::gen::inRange(0, 12);
    if (*rc::gen::arbitrary<bool>()) limits.rate_per_second = *rc::gen::inRange(1, 80) / 8.0;
    return limits;
}

RC_GTEST_PROP(AdmissionProperties, NoLimitIsExceeded, ()) {
    const WorkspaceLine line = any_line();
    const WorkspaceLimits limits = any_limits();
    const AdmissionRound round{.share = *rc::gen::inRange(0, 12),
                               .items_left = *rc::gen::inRange(0, 40)};
    const LineDecision decision = admit(line, limits, round, kNoon);
    const std::int64_t taken = std::ssize(decision.taken);

    if (limits.max_active) {
        RC_ASSERT(taken <= std::max<std::int64_t>(0, *limits.max_active - line.active));
    }
    RC_ASSERT(taken <= std::int64_t{round.share} * limits.weight);
    RC_ASSERT(taken <= round.items_left);
    std::map<std::string, std::int64_t> of_key;
    for (const std::size_t place : decision.taken) {
        const WaitingExecution& item = line.ready[place];
        RC_ASSERT(!item.execution.deadline || *item.execution.deadline > kNoon);
        const std::string& key = item.execution.concurrency_key;
        if (!key.empty()) RC_ASSERT(item.active_of_key + ++of_key[key] <= limits.max_per_key);
    }
    // Each item has one fate, and those without one come behind those that have one.
    Places all = decision.taken;
    for (const Places* more : {&decision.parked, &decision.expired, &decision.postponed}) {
        all.insert(all.end(), more->begin(), more->end());
    }
    std::ranges::sort(all);
    Places expected(all.size());
    std::iota(expected.begin(), expected.end(), 0);
    RC_ASSERT(all == expected);
    const bool has_rest = std::cmp_less(all.size(), line.ready_count);
    RC_ASSERT(decision.has_more == has_rest);
    RC_ASSERT(decision.state.virtual_time == static_cast<double>(taken) / limits.weight);
    // Whoever sleeps has nothing to wake up for: no item, no slot or no rate.
    if (!decision.state.is_runnable) {
        RC_ASSERT(!has_rest || decision.left.is_full || decision.left.rate_until);
    }
}

RC_GTEST_PROP(AdmissionProperties, TheRateHoldsOverAnyWindow, ()) {
    const double rate = *rc::gen::inRange(1, 200) / 16.0;
    const WorkspaceLimits limits{.rate_per_second = rate};
    LineState state;
    Instant now = kNoon;
    std::vector<std::pair<Instant, double>> taken;
    for (const int pause : *rc::gen::container<std::vector<int>>(rc::gen::inRange(0, 2'000))) {
        now += std::chrono::milliseconds{pause};
        WorkspaceLine line = line_with(40);
        line.state = state;
        const LineDecision decision = admit(line, limits, kPlenty, now);
        state = decision.state;
        taken.emplace_back(now, static_cast<double>(decision.taken.size()));
        if (decision.left.rate_until) RC_ASSERT(*decision.left.rate_until > now);
    }
    for (std::size_t from = 0; from < taken.size(); ++from) {
        double sum = 0;
        for (std::size_t to = from; to < taken.size(); ++to) {
            sum += taken[to].second;
            const std::chrono::duration<double> window = taken[to].first - taken[from].first;
            RC_ASSERT(sum <= std::max(1.0, rate) + window.count() * rate + 1e-3);
        }
    }
}

// Lines with work for ever, served as a dispatcher does: the lowest virtual time first.
RC_GTEST_PROP(AdmissionProperties, LinesAreServedByWeight, ()) {
    const auto weights =
        *rc::gen::container<std::vector<int>>(*rc::gen::inRange(2u, 5u), rc::gen::inRange(1, 6));
    const AdmissionRound round{.share = *rc::gen::inRange(1, 6), .items_left = 100};
    const WorkspaceLine endless = line_with(40);
    std::vector<LineState> states(weights.size());
    std::vector<double> served(weights.size());
    for (int i = 0; i < 400; ++i) {
        const auto lowest = std::ranges::min_element(states, {}, &LineState::virtual_time);
        const auto at = static_cast<std::size_t>(lowest - states.begin());
        WorkspaceLine line = endless;
        line.ready_count = 1'000;
        line.state = states[at];
        const LineDecision decision = admit(line, {.weight = weights[at]}, round, kNoon);
        RC_ASSERT(decision.state.virtual_time > states[at].virtual_time);
        RC_ASSERT(decision.state.is_runnable);
        states[at] = decision.state;
        served[at] += static_cast<double>(decision.taken.size());
    }
    for (std::size_t i = 0; i < weights.size(); ++i) {
        for (std::size_t k = 0; k < weights.size(); ++k) {
            RC_ASSERT(std::abs(served[i] / weights[i] - served[k] / weights[k]) <= round.share);
        }
    }
}

}  // namespace
}  // namespace millrace
