#include "queue/locked_rounds.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "store/memory/memory_lock_table.hpp"
#include "support/fake_clock.hpp"
#include "support/instances.hpp"

namespace millrace {
namespace {

// Fails calls when a test says so: before they have an effect, or after.
class FaultyLocks final : public LockTable {
public:
    enum class Fault { none, refused, reply_lost };

    FaultyLocks(MemoryLocks& locks, const Clock& clock) : inner_(locks, clock) {}

    Status prepare(LockTableMode mode) override { return inner_.prepare(mode); }
    Result<bool> lock(std::string_view name, std::string_view holder, Duration at_most) override {
        if (fault == Fault::refused) return failure();
        const Result<bool> taken = inner_.lock(name, holder, at_most);
        return fault == Fault::reply_lost ? Result<bool>(failure()) : taken;
    }
    Status unlock(std::string_view name, std::string_view holder, Duration at_least) override {
        if (fault == Fault::refused) return failure();
        const Status given = inner_.unlock(name, holder, at_least);
        return fault == Fault::reply_lost ? Status(failure()) : given;
    }

    Fault fault = Fault::none;

private:
    static Error failure() { return {ErrorCode::unavailable, "injected"}; }

    MemoryLockTable inner_;
};

// One process that does nothing under the lock but count, and holds it as long as a test wants.
class Process final : private LockListener {
public:
    Process(MemoryLocks& rows, const Clock& clock, std::string holder)
        : locks(rows, clock),
          rounds(
              locks, *this, clock,
              {.lock = kDispatchLock, .holder = std::move(holder), .interval = 5s},
              [this](std::function<void()> end) -> Status {
                  if (cannot_begin) return Error{ErrorCode::unavailable, "injected"};
                  begun += 1;
                  end_ = std::move(end);
                  if (!is_slow) finish();
                  return ok();
              },
              [this] { is_awake_ = true; }) {}

    void finish() { std::exchange(end_, {})(); }

    Round run() {
        Round round;
        do {
            is_awake_ = false;
            round = rounds.run_once();
        } while (is_awake_);
        return round;
    }

    FaultyLocks locks;
    LockedRounds rounds;
    bool is_slow = false;
    bool cannot_begin = false;
    int begun = 0;
    int refused = 0;
    int failed = 0;
    std::vector<std::string> changes{};

private:
    void on_lock_taken(std::string_view, bool has_changed) override {
        if (has_changed) changes.emplace_back("ours");
    }
    void on_lock_refused(std::string_view, bool has_changed) override {
        refused += 1;
        if (has_changed) changes.emplace_back("held");
    }
    void on_lock_failed(std::string_view, const Error&) override { failed += 1; }

    std::function<void()> end_{};
    bool is_awake_ = false;
};

class LockedRoundsTest : public testing::Test {
protected:
    // Everybody looks once a second.
    void pass(Duration time) {
        for (Duration passed{}; passed < time; passed += 1s) {
            clock_.advance(1s);
            a_.run();
            b_.run();
        }
    }

    FakeClock clock_{kNoon};
    MemoryLocks locks_;
    Process a_{locks_, clock_, "a"};
    Process b_{locks_, clock_, "b"};
};

TEST_F(LockedRoundsTest, HaveTheNamesAndTimesThatProgramsWithShedLockExpect) {
    EXPECT_EQ(kDispatchLock.name, "processExecutionQueue");
    EXPECT_EQ(kDispatchLock.at_most, 4min);
    EXPECT_EQ(kDispatchLock.at_least, 10s);
    EXPECT_EQ(kRecoveryLock.name, "recoverStaleQueueItems");
    EXPECT_EQ(kRecoveryLock.at_most, 2min);
    EXPECT_EQ(kRecoveryLock.at_least, 30s);
}

TEST_F(LockedRoundsTest, OneOfThemWorksAndTheOtherCountsWhatItDidNotGet) {
    a_.is_slow = true;
    a_.run();
    b_.run();
    EXPECT_EQ(a_.begun, 1);
    EXPECT_EQ(b_.begun, 0);
    EXPECT_EQ(b_.refused, 1);
    pass(20s);
    EXPECT_EQ(b_.refused, 5) << "every five seconds";
    EXPECT_EQ(b_.changes, std::vector<std::string>{"held"}) << "told once";
    EXPECT_EQ(b_.begun, 0);
}

TEST_F(LockedRoundsTest, AShortRoundHoldsTheLockAtLeastForItsTime) {
    a_.run();
    EXPECT_EQ(a_.begun, 1);
    pass(9s);
    EXPECT_EQ(a_.begun + b_.begun, 1);
    EXPECT_GT(a_.refused, 0) << "nor does its holder get it twice";
    pass(2s);
    EXPECT_EQ(a_.begun + b_.begun, 2);
}

TEST_F(LockedRoundsTest, TheNextRoundIsSoLongAfterTheEndOfOne) {
    a_.is_slow = true;
    a_.run();
    pass(60s);
    a_.finish();
    const Round over = a_.run();
    ASSERT_TRUE(over.next_at);
    EXPECT_EQ(*over.next_at, clock_.now() + 5s);
    EXPECT_EQ(a_.begun, 1);
    clock_.advance(5s);
    a_.run();
    EXPECT_EQ(a_.begun, 2);
}

TEST_F(LockedRoundsTest, ALockOlderThanItsMaximumIsTakenOver) {
    a_.is_slow = true;
    a_.run();
    pass(239s);
    EXPECT_EQ(b_.begun, 0);
    b_.is_slow = true;
    pass(6s);
    EXPECT_EQ(b_.begun, 1) << "a died";
    a_.finish();
    a_.run();
    pass(20s);
    EXPECT_EQ(a_.begun, 1) << "what a gives up late is not b's";
    b_.finish();
    pass(6s);
    EXPECT_EQ(a_.begun + b_.begun, 3);
}

TEST_F(LockedRoundsTest, AStoreThatIsAwayIsAskedAgain) {
    a_.locks.fault = FaultyLocks::Fault::refused;
    EXPECT_TRUE(a_.run().unhealthy);
    EXPECT_EQ(a_.failed, 1);
    EXPECT_EQ(a_.begun, 0);
    a_.locks.fault = FaultyLocks::Fault::none;
    EXPECT_FALSE(a_.run().unhealthy);
    EXPECT_EQ(a_.begun, 1);
}

TEST_F(LockedRoundsTest, ALockWhoseAnswerGotLostIsGivenUp) {
    a_.locks.fault = FaultyLocks::Fault::reply_lost;
    EXPECT_TRUE(a_.run().unhealthy);
    a_.locks.fault = FaultyLocks::Fault::none;
    pass(16s);
    EXPECT_GE(a_.begun + b_.begun, 1) << "nobody waits for four minutes";
}

TEST_F(LockedRoundsTest, ALockThatCouldNotBeGivenUpIsGivenUpLater) {
    a_.is_slow = true;
    a_.run();
    a_.locks.fault = FaultyLocks::Fault::refused;
    a_.finish();
    EXPECT_TRUE(a_.run().unhealthy);
    a_.locks.fault = FaultyLocks::Fault::none;
    a_.is_slow = false;
    pass(16s);
    EXPECT_GE(a_.begun + b_.begun, 2);
}

TEST_F(LockedRoundsTest, AWorkThatCannotBeginEndsItsRound) {
    a_.cannot_begin = true;
    EXPECT_TRUE(a_.run().unhealthy);
    a_.cannot_begin = false;
    EXPECT_EQ(a_.run().next_at, clock_.now() + 5s);
    pass(11s);
    EXPECT_EQ(a_.begun + b_.begun, 1) << "the lock was given up";
}

TEST_F(LockedRoundsTest, StoppingGivesTheLockUp) {
    a_.is_slow = true;
    a_.run();
    pass(11s);
    a_.rounds.stop();
    pass(5s);
    EXPECT_EQ(b_.begun, 1);
    a_.finish();
    EXPECT_EQ(a_.run().next_at, std::nullopt);
    EXPECT_EQ(a_.begun, 1);
}

}  // namespace
}  // namespace millrace
