#include "queue/record_start.hpp"

#include "queue/cancel_execution.hpp"
#include "queue/complete_execution.hpp"
#include "queue/make_ready.hpp"
#include "queue/recover_execution.hpp"
#include "support/queue_driver.hpp"

namespace millrace {
namespace {

const StartAnswer kStarted{.outcome = StartOutcome::started, .run_id = "run-1"};
const StartAnswer kRefused{.outcome = StartOutcome::refused,
                           .code = "INVALID_ARGUMENT",
                           .reason = "INVALID_REQUEST",
                           .message = "no such type"};
const StartAnswer kUnreachable{.outcome = StartOutcome::unreachable, .message = "refused"};
const StartAnswer kUnknown{.outcome = StartOutcome::unknown, .message = "deadline"};
const StartAnswer kConflict{.outcome = StartOutcome::conflict, .message = "somebody else's"};

class RecordStartTest : public QueueTest {
protected:
    // Waits until it is due, and lets it in again.
    ClaimedExecution claim_again(const ExecutionKey& key) {
        clock_.advance(*execution(key).due_at - clock_.now());
        EXPECT_TRUE(node_.run(MakeReady{key})->is_ready);
        AdmittedExecutions round = admit();
        EXPECT_EQ(round.claimed.size(), 1U);
        return round.claimed.empty() ? ClaimedExecution{} : round.claimed.front();
    }

    ClaimedExecution recover(const ExecutionKey& key) {
        clock_.advance(*execution(key).due_at - clock_.now());
        const auto recovered =
            node_.run(RecoverExecution{.key = key, .owner = kOwner, .lease = kLease});
        EXPECT_TRUE(recovered && recovered->is_recovered);
        return {.execution = recovered->execution, .rules = recovered->run.rules};
    }
};

TEST_F(RecordStartTest, AStartIsDispatched) {
    const RecordedStart recorded = record(claim_remote(), kStarted);
    EXPECT_EQ(recorded.record, StartRecord::dispatched);
    EXPECT_EQ(recorded.execution, execution(recorded.execution.key));
    EXPECT_EQ(text_of(recorded.execution.queue_status), "DISPATCHED");
    EXPECT_EQ(recorded.execution.run_id, "run-1");
    EXPECT_EQ(recorded.execution.due_at, kNoon + 1min);
}

TEST_F(RecordStartTest, RefusalsCountAndThenEnd) {
    ClaimedExecution claimed = claim_remote();
    for (int attempt = 1; attempt < 3; ++attempt) {
        const RecordedStart recorded = record(claimed, kRefused);
        EXPECT_EQ(recorded.record, StartRecord::released);
        EXPECT_EQ(recorded.execution.attempt_count, attempt);
        EXPECT_EQ(recorded.execution.last_error, "no such type");
        claimed = claim_again(claimed.execution.key);
    }
    const RecordedStart last = record(claimed, kRefused);
    EXPECT_EQ(last.record, StartRecord::failed);
    EXPECT_EQ(last.execution.attempt_count, 3) << "exactly as many as allowed";
    EXPECT_EQ(last.execution.error_reason, "INVALID_REQUEST");
    EXPECT_EQ(last.execution.claim.token, 3);
}

TEST_F(RecordStartTest, SomebodyElsesRunIsTheEnd) {
    const RecordedStart recorded = record(claim_remote(), kConflict);
    EXPECT_EQ(recorded.record, StartRecord::failed);
    EXPECT_EQ(recorded.execution.error_reason, failure::kWorkflowIdConflict);
}

TEST_F(RecordStartTest, AnOutageUsesUpNothing) {
    ClaimedExecution claimed = claim_remote();
    for (int i = 0; i < 50; ++i) {
        const RecordedStart recorded = record(claimed, kUnreachable);
        ASSERT_EQ(recorded.record, StartRecord::released);
        claimed = claim_again(claimed.execution.key);
    }
    EXPECT_EQ(claimed.execution.attempt_count, 0);
    EXPECT_EQ(claimed.execution.deferrals, 50);
    EXPECT_EQ(record(claimed, kStarted).record, StartRecord::dispatched);
}

TEST_F(RecordStartTest, TheBreakerSaysWhenToTryAgain) {
    RecordStart command = recording(claim_remote(), kUnreachable);
    command.retry_at = kNoon + 1h;
    EXPECT_EQ(record(command).execution.due_at, kNoon + 1h);
}

TEST_F(RecordStartTest, DoubtKeepsTheSlot) {
    const ClaimedExecution claimed = claim_remote();
    RecordedStart recorded = record(claimed, kUnknown);
    EXPECT_EQ(recorded.record, StartRecord::in_doubt);
    EXPECT_EQ(text_of(recorded.execution.queue_status), "CLAIMED");
    EXPECT_EQ(recorded.execution.recoveries, 1);

    const ClaimedExecution again = recover(claimed.execution.key);
    EXPECT_EQ(record(claimed, kStarted).record, StartRecord::lost) << "it has a new owner";
    recorded = record(again, kUnreachable);
    EXPECT_EQ(recorded.record, StartRecord::in_doubt) << "it may run all the same";
    EXPECT_EQ(record(recover(claimed.execution.key), kStarted).record, StartRecord::dispatched);
}

TEST_F(RecordStartTest, DoubtEndsWithTheRetention) {
    const ClaimedExecution claimed = claim_remote();
    RecordStart command = recording(claimed, kUnknown);
    command.retention = 24h;
    EXPECT_EQ(record(command).record, StartRecord::in_doubt);

    clock_.advance(24h);
    const auto recovered =
        node_.run(RecoverExecution{.key = claimed.execution.key, .owner = kOwner, .lease = kLease});
    ASSERT_TRUE(recovered && recovered->is_recovered);
    command.token = recovered->execution.claim.token;
    const RecordedStart given_up = record(command);
    EXPECT_EQ(given_up.record, StartRecord::failed);
    EXPECT_EQ(given_up.execution.error_reason, failure::kStartUnknown);
}

TEST_F(RecordStartTest, WhatEndedMeanwhileStaysEnded) {
    const ClaimedExecution claimed = claim_remote();
    ASSERT_TRUE(node_.run(CompleteExecution{.key = claimed.execution.key}));
    const RecordedStart late = record(claimed, kStarted);
    EXPECT_EQ(late.record, StartRecord::lost);
    EXPECT_EQ(text_of(late.execution.queue_status), "COMPLETED");
    EXPECT_EQ(text_of(status(claimed.execution.key)), "COMPLETED");
}

TEST_F(RecordStartTest, WhatIsToBeCancelledIsNotTriedAgain) {
    for (const StartAnswer& answer : {kRefused, kUnreachable, kConflict}) {
        const ClaimedExecution claimed = claim_remote();
        ASSERT_TRUE(node_.run(CancelExecution{.key = claimed.execution.key}));
        EXPECT_EQ(record(claimed, answer).record, StartRecord::cancelled);
    }
    const ClaimedExecution claimed = claim_remote();
    ASSERT_TRUE(node_.run(CancelExecution{.key = claimed.execution.key}));
    const RecordedStart started = record(claimed, kStarted);
    EXPECT_EQ(started.record, StartRecord::dispatched);
    EXPECT_EQ(started.execution.due_at, kNoon) << "to be passed on at once";
}

TEST_F(RecordStartTest, ARecordThatIsGoneComesBack) {
    const ClaimedExecution claimed = claim_remote();
    RecordStart command = recording(claimed, kStarted);
    command.key = command.claimed.emplace().execution.key;
    EXPECT_EQ(record(command).record, StartRecord::lost) << "nothing is known of that one";

    command.claimed = NewExecution{claimed.execution, claimed.input};
    command.key = command.claimed->execution.key = next_key();
    const RecordedStart recorded = record(command);
    EXPECT_EQ(recorded.record, StartRecord::dispatched);
    EXPECT_TRUE(recorded.was_missing);
    EXPECT_EQ(stored(command.key).execution, recorded.execution);
    EXPECT_EQ(stored(command.key).input, claimed.input);
}

TEST_F(RecordStartTest, ARecordThatIsGoneStaysSoWhenTheClaimIsOver) {
    const ClaimedExecution claimed = claim_remote();
    RecordStart command = recording(claimed, kStarted);
    command.claimed = NewExecution{claimed.execution, claimed.input};
    command.key = command.claimed->execution.key = next_key();
    clock_.advance(*claimed.execution.due_at - clock_.now());
    EXPECT_EQ(record(command).record, StartRecord::lost);
}

TEST_F(RecordStartTest, WithoutARecordNothingHappens) {
    RecordStart command = recording(claim_remote(), kStarted);
    command.key = next_key();
    EXPECT_EQ(record(command).record, StartRecord::lost);
}

TEST_F(RecordStartTest, MessagesAreCut) {
    StartAnswer answer = kRefused;
    answer.message = std::string(100'000, 'x');
    EXPECT_EQ(record(claim_remote(), answer).execution.last_error.size(), 16u << 10);
}

}  // namespace
}  // namespace millrace
