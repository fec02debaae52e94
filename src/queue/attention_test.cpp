#include "queue/cancel_execution.hpp"
#include "queue/note_attention.hpp"
#include "queue/recover_execution.hpp"
#include "queue/renew_claims.hpp"
#include "queue/take_attention.hpp"
#include "support/queue_driver.hpp"

namespace millrace {
namespace {

class AttentionTest : public QueueTest {
protected:
    TakenAttention take(const ExecutionKey& key, const std::string& owner = "replica-2") {
        const auto taken = node_.run(TakeAttention{.key = key, .owner = owner, .lease = kLease});
        EXPECT_TRUE(taken);
        return taken ? *taken : TakenAttention{};
    }

    RecoveredExecution recover(RecoverExecution command) {
        command.owner = "replica-2";
        command.lease = kLease;
        const auto recovered = node_.run(std::move(command));
        EXPECT_TRUE(recovered);
        return recovered ? *recovered : RecoveredExecution{};
    }

    bool note(NoteAttention command) { return node_.run(std::move(command))->is_noted; }
};

TEST_F(AttentionTest, ALostClaimIsTakenOver) {
    const ExecutionKey key = claim_remote().execution.key;
    EXPECT_FALSE(recover({.key = key}).is_recovered) << "its lease is not over";
    EXPECT_EQ(take(key).attention, Attention::none);
    clock_.advance(kLease);
    const RecoveredExecution recovered = recover({.key = key});
    EXPECT_TRUE(recovered.is_recovered);
    EXPECT_EQ(recovered.execution, execution(key));
    EXPECT_EQ(recovered.execution.claim, (Claim{.token = 2, .owner = "replica-2"}));
    EXPECT_EQ(recovered.execution.recoveries, 1);
    ASSERT_NE(recovered.run.definition, nullptr);
    EXPECT_EQ(recovered.run.definition->id, "remote");
    EXPECT_FALSE(recover({.key = key}).is_recovered) << "it has an owner again";
}

TEST_F(AttentionTest, ByHandNoLeaseIsInTheWay) {
    const ExecutionKey key = claim_remote().execution.key;
    EXPECT_FALSE(recover({.key = key, .claimed_before = kNoon}).is_recovered) << "claimed then";
    EXPECT_TRUE(recover({.key = key, .claimed_before = kNoon + 1us}).is_recovered);
    const ExecutionKey running = run_remote().key;
    EXPECT_FALSE(recover({.key = running, .claimed_before = kNoon + 1h}).is_recovered);
}

TEST_F(AttentionTest, AClaimThatIsRenewedIsNotTakenOver) {
    const Execution claimed = claim_remote().execution;
    clock_.advance(kLease / 2);
    const ExecutionKey gone = next_key();
    const auto renewed = node_.run(
        RenewClaims{.claims = {{claimed.key, 1}, {gone, 1}, {claimed.key, 7}}, .lease = kLease});
    ASSERT_TRUE(renewed);
    EXPECT_EQ(renewed->renewed, 1U);
    EXPECT_EQ(renewed->lost, (std::vector{gone, claimed.key}));
    clock_.advance(kLease / 2);
    EXPECT_FALSE(recover({.key = claimed.key}).is_recovered);
    clock_.advance(kLease / 2);
    EXPECT_TRUE(recover({.key = claimed.key}).is_recovered);
}

TEST_F(AttentionTest, RecoveriesComeToAnEnd) {
    const ExecutionKey key = claim_remote().execution.key;
    for (int i = 1; i < 10; ++i) {
        clock_.advance(kLease);
        ASSERT_EQ(take(key).attention, Attention::recover_start) << i;
    }
    clock_.advance(kLease);
    EXPECT_EQ(take(key).attention, Attention::failed);
    EXPECT_EQ(execution(key).error_reason, failure::kRecoveriesExhausted);
    clock_.advance(kLease);
    EXPECT_EQ(take(key).attention, Attention::none);
}

TEST_F(AttentionTest, ARunIsDescribedByOneAtATime) {
    const ExecutionKey key = run_remote().key;
    EXPECT_EQ(take(key).attention, Attention::none) << "not yet";
    clock_.advance(1min);
    const TakenAttention taken = take(key);
    EXPECT_EQ(taken.attention, Attention::describe);
    EXPECT_NE(taken.run.definition, nullptr);
    EXPECT_EQ(take(key, "replica-3").attention, Attention::none) << "somebody is at it";

    EXPECT_TRUE(note({.key = key, .run_id = "run-2", .due_at = clock_.now() + 1h}));
    const Execution noted = execution(key);
    EXPECT_EQ(noted.run_id, "run-2") << "continued as new";
    EXPECT_EQ(noted.due_at, clock_.now() + 1h);
    EXPECT_TRUE(noted.claim.owner.empty());
    EXPECT_EQ(noted.claim.token, 1) << "nobody claims it again";
}

TEST_F(AttentionTest, WhoeverDiesWhileLookingIsFollowed) {
    const ExecutionKey key = run_remote().key;
    clock_.advance(1min);
    ASSERT_EQ(take(key).attention, Attention::describe);
    clock_.advance(kLease);
    EXPECT_EQ(take(key, "replica-3").attention, Attention::describe);
}

TEST_F(AttentionTest, CancellationsArePassedOnAtOnce) {
    const ExecutionKey key = run_remote().key;
    clock_.advance(1min);
    ASSERT_EQ(take(key).attention, Attention::describe);
    ASSERT_TRUE(node_.run(CancelExecution{.key = key}));
    // The one that was looking knows nothing of it.
    EXPECT_TRUE(note({.key = key, .due_at = clock_.now() + 1h}));
    const TakenAttention taken = take(key);
    EXPECT_EQ(taken.attention, Attention::pass_cancel_on);
    EXPECT_FALSE(taken.execution.is_forced);

    ASSERT_TRUE(node_.run(CancelExecution{.key = key, .is_forced = true}));
    NoteAttention passed{.key = key,
                         .due_at = clock_.now() + 1h,
                         .cancel_seen = taken.execution.cancel_requested_at};
    EXPECT_TRUE(note(passed));
    EXPECT_TRUE(take(key).execution.is_forced) << "that is news too";
    passed.is_force_seen = true;
    EXPECT_TRUE(note(passed));
    EXPECT_EQ(take(key).attention, Attention::none);
    clock_.advance(1h);
    EXPECT_EQ(take(key).attention, Attention::pass_cancel_on) << "until it is over";
}

TEST_F(AttentionTest, OnlyWhatRunsElsewhereIsNoted) {
    EXPECT_FALSE(note({.key = next_key()}));
    const ExecutionKey waiting = enqueue("remote").key;
    EXPECT_FALSE(note({.key = waiting}));
    const ExecutionKey native = enqueue().key;
    admit();
    EXPECT_FALSE(note({.key = native}));
    EXPECT_EQ(take(native).attention, Attention::none);
    EXPECT_EQ(take(next_key()).attention, Attention::none);
}

}  // namespace
}  // namespace millrace
