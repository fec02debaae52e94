#include "core/queue/transitions.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <functional>

#include "support/executions.hpp"

namespace millrace {
namespace {

constexpr Instant kInTime = kNoon + 1s;
constexpr Instant kTooLate = kNoon + kLease;
constexpr std::int64_t kForeignToken = 7;
const DispatchRules kRules{};

using Outcome = std::optional<Execution>;
using Call = std::function<Outcome(const Execution&)>;

Call dispatching(std::int64_t token) {
    return [=](const Execution& execution) {
        return dispatched(execution, token, "run-1", kTooLate, kInTime);
    };
}

Call refusing(std::int64_t token, bool is_permanent) {
    return [=](const Execution& execution) {
        const Refusal refusal{"INVALID_REQUEST", "no such type", is_permanent};
        return refused(execution, token, refusal, kRules, kInTime);
    };
}

Call deferring(std::int64_t token) {
    return [=](const Execution& execution) {
        return deferred(execution, token, "unavailable", std::nullopt, kRules, kInTime);
    };
}

Call doubting(std::int64_t token) {
    return [=](const Execution& execution) {
        return left_in_doubt(execution, token, "deadline", kRules, kInTime);
    };
}

Call renewing(std::int64_t token) {
    return [=](const Execution& execution) {
        return renewed(execution, token, kTooLate + 1s);
    };
}

Call recovering(Instant now) {
    return [=](const Execution& execution) {
        return recovered(execution, "replica-2", now + kLease, kRules, now);
    };
}

Call ending(QueueStatus status) {
    return [=](const Execution& execution) {
        return ended(execution, {.key = execution.key, .queue_status = status, .at = kInTime});
    };
}

Call making_ready() {
    return [](const Execution& execution) {
        return made_ready(execution, kInTime);
    };
}

template <class Transition>
Call as_call(Transition transition) {
    return [=](const Execution& execution) -> Outcome {
        const Result<Execution> after = transition(execution);
        if (!after) return std::nullopt;
        return *after;
    };
}

Call redriving() {
    return as_call([](const Execution& execution) { return redriven(execution, kInTime); });
}

Call retrying() {
    return as_call([](const Execution& execution) {
        return retry_of(execution, execution_key(2).id, kInTime);
    });
}

constexpr auto kPending = QueueStatus::pending;
constexpr auto kClaimed = QueueStatus::claimed;
constexpr auto kDispatched = QueueStatus::dispatched;
constexpr auto kCompleted = QueueStatus::completed;
constexpr auto kFailed = QueueStatus::failed;
constexpr auto kCancelled = QueueStatus::cancelled;
constexpr std::array kAll{kPending, kClaimed, kDispatched, kCompleted, kFailed, kCancelled};
using Expected = std::optional<QueueStatus>;
constexpr Expected kStays = std::nullopt;

// Every call in every state: where the execution goes; empty when nothing changes.
struct Row {
    const char* name;
    Call call;
    std::array<Expected, 6> expected;  // In the order of kAll.
};

class ExecutionTransitions : public testing::TestWithParam<Row> {};

TEST_P(ExecutionTransitions, FollowTheTable) {
    const Row& row = GetParam();
    for (std::size_t i = 0; i < kAll.size(); ++i) {
        const Execution before = execution_in(kAll[i]);
        const Outcome after = row.call(before);
        ASSERT_EQ(after.has_value(), row.expected[i].has_value()) << to_string(kAll[i]);
        if (!after) continue;
        EXPECT_EQ(to_string(after->queue_status), to_string(*row.expected[i]))
            << to_string(kAll[i]);
        EXPECT_GE(after->claim.token, after->retry_of ? 0 : before.claim.token);
        EXPECT_EQ(after->completed_at.has_value(), !is_open(after->queue_status));
        if (!is_open(after->queue_status)) continue;
        EXPECT_EQ(after->place == QueuePlace::active, is_active(after->queue_status));
    }
}

INSTANTIATE_TEST_SUITE_P(
    Transitions, ExecutionTransitions,
    testing::Values(
        Row{"Dispatch",
            dispatching(kClaimToken),
            {kStays, kDispatched, kStays, kStays, kStays, kStays}},
        Row{"DispatchByAnother", dispatching(kForeignToken), {}},
        Row{"Refuse",
            refusing(kClaimToken, false),
            {kStays, kPending, kStays, kStays, kStays, kStays}},
        Row{"RefuseForGood",
            refusing(kClaimToken, true),
            {kStays, kFailed, kStays, kStays, kStays, kStays}},
        Row{"RefuseByAnother", refusing(kForeignToken, true), {}},
        Row{"Defer", deferring(kClaimToken), {kStays, kPending, kStays, kStays, kStays, kStays}},
        Row{"DeferByAnother", deferring(kForeignToken), {}},
        Row{"LeaveInDoubt",
            doubting(kClaimToken),
            {kStays, kClaimed, kStays, kStays, kStays, kStays}},
        Row{"LeaveInDoubtByAnother", doubting(kForeignToken), {}},
        Row{"Renew", renewing(kClaimToken), {kStays, kClaimed, kStays, kStays, kStays, kStays}},
        Row{"RenewByAnother", renewing(kForeignToken), {}},
        Row{"RecoverInTime", recovering(kInTime), {}},
        Row{"Recover", recovering(kTooLate), {kStays, kClaimed, kStays, kStays, kStays, kStays}},
        Row{"EndCompleted",
            ending(kCompleted),
            {kCompleted, kCompleted, kCompleted, kStays, kStays, kStays}},
        Row{"EndFailed", ending(kFailed), {kFailed, kFailed, kFailed, kStays, kStays, kStays}},
        Row{"EndCancelled",
            ending(kCancelled),
            {kCancelled, kCancelled, kCancelled, kStays, kStays, kStays}},
        Row{"MakeReadyWhatIsNotDue", making_ready(), {}}, Row{"RedriveWhatHasRun", redriving(), {}},
        Row{"Retry", retrying(), {kStays, kStays, kStays, kStays, kPending, kPending}}),
    [](const auto& row) { return std::string(row.param.name); });

TEST(ExecutionTransitions, ClaimTakesASlotAndForgetsTheLastError) {
    Execution waiting = execution_in(kPending);
    waiting.error_reason = "X";
    waiting.error_message = "x";
    waiting.next_attempt_at = kNoon;
    const Execution taken = claim(waiting, kOwner, kNoon + kLease, kInTime);
    EXPECT_EQ(taken.place, QueuePlace::active);
    EXPECT_EQ(taken.claim, (Claim{.token = 1, .owner = kOwner}));
    EXPECT_EQ(taken.claimed_at, kInTime);
    EXPECT_EQ(taken.started_at, kInTime);
    EXPECT_EQ(taken.first_try_at, kInTime);
    EXPECT_EQ(taken.due_at, kNoon + kLease);
    EXPECT_FALSE(taken.next_attempt_at);
    EXPECT_TRUE(taken.error_reason.empty() && taken.error_message.empty());
    EXPECT_FALSE(is_in_doubt(taken));
}

TEST(ExecutionTransitions, ReleaseKeepsTheErrorAndGivesTheSlotBack) {
    const Execution released = *refusing(kClaimToken, false)(execution_in(kClaimed));
    EXPECT_EQ(released.place, QueuePlace::due);
    EXPECT_EQ(released.attempt_count, 1);
    EXPECT_EQ(released.error_reason, "INVALID_REQUEST");
    EXPECT_EQ(released.last_error, "no such type");
    EXPECT_FALSE(released.claimed_at);
    EXPECT_TRUE(released.claim.owner.empty());
    EXPECT_EQ(released.claim.token, kClaimToken);
    EXPECT_EQ(released.due_at, released.next_attempt_at);
    EXPECT_GT(*released.due_at, kInTime);
}

TEST(ExecutionTransitions, DeferralWaitsForTheBreaker) {
    const Instant breaker = kNoon + 1h;
    const Outcome after =
        deferred(execution_in(kClaimed), kClaimToken, "down", breaker, kRules, kInTime);
    EXPECT_EQ(after->due_at, breaker);
    EXPECT_EQ(after->deferrals, 1);
    EXPECT_EQ(after->attempt_count, 0);
    EXPECT_TRUE(after->error_reason.empty());
}

TEST(ExecutionTransitions, DoubtKeepsTheSlotEvenWhenTheExecutorIsGoneAfterwards) {
    const Execution doubtful = *doubting(kClaimToken)(execution_in(kClaimed));
    EXPECT_TRUE(is_in_doubt(doubtful));
    EXPECT_EQ(doubtful.recoveries, 1);
    Execution again = *recovered(doubtful, "replica-2", kTooLate, kRules, *doubtful.due_at);
    EXPECT_TRUE(is_in_doubt(again));
    EXPECT_EQ(again.recoveries, 1) << "counted when it was left";
    EXPECT_EQ(again.claim, (Claim{.token = 2, .owner = "replica-2"}));
    EXPECT_EQ(again.first_try_at, kNoon);

    for (int i = 0; i < 100; ++i) {
        again =
            *deferred(again, again.claim.token, "down", std::nullopt, kRules, *again.claimed_at);
        ASSERT_EQ(again.queue_status, kClaimed);
        ASSERT_EQ(again.place, QueuePlace::active);
        again = *recovered(again, "replica-2", *again.due_at + kLease, kRules, *again.due_at);
    }
    EXPECT_EQ(again.queue_status, kClaimed);
    EXPECT_EQ(again.recoveries, 1) << "an outage uses up nothing";
    EXPECT_EQ(again.deferrals, 100);
    EXPECT_EQ(again.first_try_at, kNoon);
}

TEST(ExecutionTransitions, WhatWasLetGoIsNotItsOwnersAnyMore) {
    const Execution doubtful = *doubting(kClaimToken)(execution_in(kClaimed));
    EXPECT_FALSE(refusing(kClaimToken, true)(doubtful));
    EXPECT_FALSE(deferring(kClaimToken)(doubtful));
    EXPECT_FALSE(doubting(kClaimToken)(doubtful));
    EXPECT_FALSE(renewing(kClaimToken)(doubtful));
    EXPECT_TRUE(dispatching(kClaimToken)(doubtful)) << "that it runs is true all the same";
}

TEST(ExecutionTransitions, LostOwnersAreCounted) {
    Execution execution = execution_in(kClaimed);
    for (int i = 1; i < kRules.max_recoveries; ++i) {
        execution =
            *recovered(execution, kOwner, *execution.due_at + kLease, kRules, *execution.due_at);
        ASSERT_EQ(execution.queue_status, kClaimed);
        ASSERT_EQ(execution.recoveries, i);
    }
    execution =
        *recovered(execution, kOwner, *execution.due_at + kLease, kRules, *execution.due_at);
    EXPECT_EQ(execution.queue_status, kFailed);
    EXPECT_EQ(execution.error_reason, failure::kRecoveriesExhausted);
    EXPECT_EQ(execution.recoveries, kRules.max_recoveries);
}

TEST(ExecutionTransitions, DoubtEndsWhenItRepeatsTooOften) {
    Execution execution = execution_in(kClaimed);
    while (execution.queue_status == kClaimed) {
        execution = *left_in_doubt(execution, execution.claim.token, "deadline", kRules,
                                   *execution.claimed_at);
        if (execution.queue_status != kClaimed) break;
        execution =
            *recovered(execution, kOwner, *execution.due_at + kLease, kRules, *execution.due_at);
    }
    EXPECT_EQ(execution.queue_status, kFailed);
    EXPECT_EQ(execution.recoveries, kRules.max_recoveries);
    EXPECT_EQ(execution.error_reason, failure::kRecoveriesExhausted);
    EXPECT_NE(execution.error_message.find("deadline"), std::string::npos);
}

TEST(ExecutionTransitions, AFirstTryIsForgottenWithItsRetention) {
    const Execution execution = execution_in(kClaimed);
    EXPECT_FALSE(is_forgotten(execution, 24h, kNoon + 24h - 1us));
    EXPECT_TRUE(is_forgotten(execution, 24h, kNoon + 24h));
    EXPECT_FALSE(is_forgotten(execution_in(kPending), 24h, kNoon + 48h));
}

TEST(ExecutionTransitions, WhatWasToBeCancelledIsNotTriedAgain) {
    const Execution wanted = cancel_requested(execution_in(kClaimed), false, kInTime);
    EXPECT_EQ(wanted.queue_status, kClaimed);
    EXPECT_EQ(wanted.due_at, kNoon + kLease) << "its owner still starts it";
    for (const Call& call :
         {refusing(kClaimToken, false), refusing(kClaimToken, true), deferring(kClaimToken)}) {
        const Outcome after = call(wanted);
        EXPECT_EQ(after->queue_status, kCancelled);
        EXPECT_EQ(after->cancel_requested_at, kInTime);
        EXPECT_TRUE(after->error_reason.empty());
    }
    const Outcome started = dispatching(kClaimToken)(wanted);
    EXPECT_EQ(started->queue_status, kDispatched);
    EXPECT_EQ(started->due_at, kInTime) << "somebody has to pass it on at once";
    EXPECT_EQ(doubting(kClaimToken)(wanted)->queue_status, kClaimed);
}

TEST(ExecutionTransitions, CancellationIsPassedOnAtOnceAndOnce) {
    const Execution running = execution_in(kDispatched);
    const Execution wanted = cancel_requested(running, false, kInTime);
    EXPECT_EQ(wanted.due_at, kInTime);
    EXPECT_FALSE(wanted.is_forced);
    EXPECT_EQ(cancel_requested(wanted, false, kTooLate), wanted);
    const Execution forced = cancel_requested(wanted, true, kTooLate);
    EXPECT_TRUE(forced.is_forced);
    EXPECT_EQ(forced.cancel_requested_at, kInTime);
    EXPECT_EQ(forced.due_at, kTooLate);
    EXPECT_EQ(cancel_requested(forced, false, kTooLate + 1s), forced);

    const Execution doubtful = *doubting(kClaimToken)(execution_in(kClaimed));
    EXPECT_EQ(cancel_requested(doubtful, false, kInTime).due_at, kInTime);
}

TEST(ExecutionTransitions, WaitingOnesLeaveTheLineAndComeBack) {
    const Execution waiting = execution_in(kPending);
    EXPECT_EQ(parked(waiting).place, QueuePlace::parked);
    const Execution later = postponed(waiting, kTooLate);
    EXPECT_EQ(later.place, QueuePlace::due);
    EXPECT_EQ(later.deferrals, 0);
    EXPECT_FALSE(made_ready(later, kInTime)) << "not yet";
    const Outcome ready = made_ready(later, kTooLate);
    EXPECT_EQ(*ready, waiting);
    EXPECT_FALSE(made_ready(parked(waiting), kTooLate)) << "only one of its key brings it back";
    EXPECT_EQ(cancelled(later, "no need", kInTime).error_message, "no need");
}

TEST(ExecutionTransitions, WhatIsPutOffStandsInLineFromThenOn) {
    const Execution waiting = waiting_execution();
    const Execution later = put_off(waiting, kTooLate, kInTime);
    EXPECT_EQ(later.place, QueuePlace::due);
    EXPECT_EQ(later.not_before, kTooLate);
    EXPECT_EQ(later.due_at, kTooLate);
    EXPECT_EQ(later.next_attempt_at, kTooLate);
    EXPECT_EQ(later.rank_at, rank_at(kTooLate, waiting.priority));
    EXPECT_FALSE(made_ready(later, kInTime));
    EXPECT_EQ(made_ready(later, kTooLate)->place, QueuePlace::ready);
    EXPECT_EQ(put_off(waiting, kInTime, kInTime), waiting) << "that is now";
}

TEST(ExecutionTransitions, RedriveBeginsAgainUnderTheSameId) {
    Execution dead = *refusing(kClaimToken, true)(execution_in(kClaimed));
    dead.dismissed_at = kInTime;
    dead.deferrals = dead.recoveries = 3;
    dead.deadline = kNoon;
    const Result<Execution> again = redriven(dead, kTooLate);
    ASSERT_TRUE(again);
    Execution expected = execution_in(kPending);
    expected.claim.token = kClaimToken;
    expected.rank_at = rank_at(kTooLate, 0);
    EXPECT_EQ(*again, expected);

    dead.retried_by = execution_key(2).id;
    EXPECT_FALSE(redriven(dead, kTooLate));
}

TEST(ExecutionTransitions, WhatRanIsNotDrivenAgainEvenIfItsStartWasNeverWrittenDown) {
    const Execution over =
        *ended(execution_in(kClaimed),
               {.queue_status = kFailed, .reason = std::string(failure::kTimedOut), .at = kInTime});
    EXPECT_TRUE(has_run(over));
    EXPECT_FALSE(redriven(over, kTooLate));
    EXPECT_FALSE(has_run(*refusing(kClaimToken, true)(execution_in(kClaimed))));
}

TEST(ExecutionTransitions, OnlyANativeOneThatFailedGoesOn) {
    Execution native = execution_in(kFailed);
    EXPECT_FALSE(resumed(native, kInTime)) << "it ran elsewhere";
    native.executor = ExecutorKind::native;
    EXPECT_FALSE(resumed(native, kInTime)) << "it has no instance";
    native.instance_id = InstanceId{native.key.id.value};
    const Result<Execution> goes_on = resumed(native, kInTime);
    ASSERT_TRUE(goes_on);
    EXPECT_EQ(goes_on->queue_status, kPending);
    EXPECT_EQ(goes_on->place, QueuePlace::ready);
    EXPECT_TRUE(goes_on->is_resuming);
    EXPECT_EQ(goes_on->instance_id, native.instance_id);
    EXPECT_TRUE(has_run(*goes_on));
    EXPECT_FALSE(resumed(*goes_on, kInTime));

    const Execution running =
        *dispatched(claim(*goes_on, kOwner, std::nullopt, kInTime), 2, "", std::nullopt, kInTime);
    EXPECT_FALSE(running.is_resuming);
}

TEST(ExecutionTransitions, ARetryIsANewOneWithTheSameWork) {
    Execution over = execution_in(kFailed);
    over.priority = 4;
    over.concurrency_key = "customer-1";
    const Result<Execution> again = retry_of(over, execution_key(2).id, kInTime);
    ASSERT_TRUE(again);
    EXPECT_EQ(again->key.id, execution_key(2).id);
    EXPECT_EQ(again->retry_of, over.key.id);
    EXPECT_EQ(again->definition, over.definition);
    EXPECT_EQ(again->concurrency_key, "customer-1");
    EXPECT_EQ(again->created_at, kInTime);
    EXPECT_EQ(again->rank_at, rank_at(kInTime, 4));
    EXPECT_EQ(again->claim, Claim{});
    EXPECT_FALSE(has_run(*again));

    EXPECT_TRUE(is_dead_letter(over));
    over.retried_by = again->key.id;
    EXPECT_FALSE(is_dead_letter(over));
    EXPECT_FALSE(retry_of(over, execution_key(3).id, kInTime));
}

// A dispatcher that does anything to one execution, in any order.
Execution step(Execution execution, int choice, Instant now) {
    const std::int64_t token = execution.claim.token;
    const DispatchRules rules{.max_attempts = 4, .max_recoveries = 5};
    Outcome after;
    switch (choice) {
        case 0:
            if (execution.queue_status == kPending) after = claim(execution, kOwner, now + 5s, now);
            break;
        case 1: after = refused(execution, token, {"R", "m", false}, rules, now); break;
        case 2: after = deferred(execution, token, "m", std::nullopt, rules, now); break;
        case 3: after = left_in_doubt(execution, token, "m", rules, now); break;
        case 4: after = recovered(execution, kOwner, now + 5s, rules, now); break;
        case 5: after = dispatched(execution, token - 1, "r", std::nullopt, now); break;
        case 6: after = renewed(execution, token, now + 5s); break;
        default: after = made_ready(execution, now); break;
    }
    return after ? *after : execution;
}

RC_GTEST_PROP(ExecutionProperties, CountsOnlyGrowAndHoldTheirBounds, ()) {
    Execution execution = execution_in(kPending);
    Instant now = kNoon;
    int refusals = 0;
    for (const int choice : *rc::gen::container<std::vector<int>>(rc::gen::inRange(0, 8))) {
        now += std::chrono::seconds{*rc::gen::inRange(0, 20)};
        const Execution before = execution;
        execution = step(before, choice, now);
        RC_ASSERT(execution.claim.token >= before.claim.token);
        RC_ASSERT(execution.queue_status != kDispatched);  // Only an older token asked for it.
        const bool is_claim = choice == 0 || choice == 4;
        if (execution.claim.token != before.claim.token) RC_ASSERT(is_claim);
        if (execution.attempt_count != before.attempt_count) ++refusals;
        RC_ASSERT(execution.attempt_count == refusals);
        RC_ASSERT(execution.attempt_count <= 4);
        RC_ASSERT(execution.recoveries <= 5);
        if (execution.queue_status == kFailed) {
            RC_ASSERT(execution.attempt_count == 4 || execution.recoveries == 5);
            break;
        }
        RC_ASSERT(execution.attempt_count < 4);
        // What may have been started keeps its slot until that is known.
        const bool was_in_doubt = before.queue_status == kClaimed && is_in_doubt(before);
        if (was_in_doubt && choice != 1) RC_ASSERT(execution.queue_status == kClaimed);
    }
}

RC_GTEST_PROP(ExecutionProperties, ForeignTokensChangeNothing, ()) {
    const Execution execution = execution_in(*rc::gen::elementOf(kAll));
    const auto token = *rc::gen::distinctFrom(rc::gen::arbitrary<std::int64_t>(), kClaimToken);
    RC_ASSERT(!dispatching(token)(execution));
    RC_ASSERT(!refusing(token, true)(execution));
    RC_ASSERT(!deferring(token)(execution));
    RC_ASSERT(!doubting(token)(execution));
    RC_ASSERT(!renewing(token)(execution));
}

RC_GTEST_PROP(ExecutionProperties, TriesAreExactlyAsManyAsAllowed, ()) {
    const DispatchRules rules{.max_attempts = *rc::gen::inRange(1, 12)};
    Execution execution = execution_in(kPending);
    Instant now = kNoon;
    int tries = 0;
    while (execution.queue_status == kPending) {
        if (execution.place == QueuePlace::due) {
            now = *execution.due_at;
            execution = *made_ready(execution, now);
        }
        execution = claim(execution, kOwner, now + kLease, now);
        const std::int64_t token = execution.claim.token;
        if (*rc::gen::inRange(0, 3) == 2) {
            execution = *deferred(execution, token, "down", std::nullopt, rules, now);
            continue;
        }
        ++tries;
        execution = *refused(execution, token, {"R", "m", false}, rules, now);
    }
    RC_ASSERT(execution.queue_status == kFailed);
    RC_ASSERT(tries == rules.max_attempts);
    RC_ASSERT(execution.attempt_count == tries);
}

}  // namespace
}  // namespace millrace
