#include "store/lock_table.hpp"

#include <span>

#include "store/memory/memory_lock_table.hpp"
#include "store_conformance/store_test.hpp"
#include "support/fake_clock.hpp"

namespace millrace {
namespace {

constexpr std::string_view kQueue = "processExecutionQueue";
constexpr std::string_view kStale = "recoverStaleQueueItems";
constexpr std::string_view kA = "host-a:8080 01A";
constexpr std::string_view kB = "host-b:8080 01B";

// No clock can be moved in a database: what is over is over at once.
class LockTableTest : public testing::TestWithParam<Candidate> {
protected:
    std::unique_ptr<LockTable> open(const std::string& name = "shedlock") {
        std::unique_ptr<LockTable> table = world_->database().lock_table(name);
        if (table == nullptr) table = std::make_unique<MemoryLockTable>(locks_, clock_);
        const Status prepared = table->prepare(LockTableMode::create);
        EXPECT_TRUE(prepared) << (prepared ? "" : prepared.error().detail);
        return table;
    }

    bool lock(std::string_view holder, Duration at_most, std::string_view name = kQueue) {
        const Result<bool> locked = (holder == kA ? a_ : b_)->lock(name, holder, at_most);
        EXPECT_TRUE(locked) << (locked ? "" : locked.error().detail);
        return locked && *locked;
    }

    void unlock(std::string_view holder, Duration at_least, std::string_view name = kQueue) {
        const Status unlocked = (holder == kA ? a_ : b_)->unlock(name, holder, at_least);
        EXPECT_TRUE(unlocked) << (unlocked ? "" : unlocked.error().detail);
    }

    std::unique_ptr<World> world_ = GetParam().make();
    FakeClock clock_{kNoon};
    MemoryLocks locks_;
    std::unique_ptr<LockTable> a_ = open();
    std::unique_ptr<LockTable> b_ = open();
};

INSTANTIATE_TEST_SUITE_P(All, LockTableTest, testing::ValuesIn(kCandidates),
                         [](const auto& store) { return store.param.name; });

TEST_P(LockTableTest, OneHolderExcludesAllOthersAndItself) {
    EXPECT_TRUE(lock(kA, 1h));
    EXPECT_FALSE(lock(kB, 1h));
    EXPECT_FALSE(lock(kA, 1h)) << "a holder does not have it twice";
}

TEST_P(LockTableTest, NamesAreIndependent) {
    EXPECT_TRUE(lock(kA, 1h, kQueue));
    EXPECT_TRUE(lock(kB, 1h, kStale));
    unlock(kB, 0s, kStale);
    EXPECT_FALSE(lock(kB, 1h, kQueue));
}

TEST_P(LockTableTest, IsFreeAfterUnlock) {
    EXPECT_TRUE(lock(kA, 1h));
    unlock(kA, 0s);
    EXPECT_TRUE(lock(kB, 1h));
    EXPECT_FALSE(lock(kA, 1h));
}

TEST_P(LockTableTest, IsHeldAtLeastForThatLong) {
    EXPECT_TRUE(lock(kA, 2h));
    unlock(kA, 1h);
    EXPECT_FALSE(lock(kB, 1h));
    EXPECT_FALSE(lock(kA, 1h));
    unlock(kA, 0s);
    EXPECT_TRUE(lock(kB, 1h)) << "the time counts from when it was taken";
}

TEST_P(LockTableTest, OneOlderThanItsMaximumIsTakenOver) {
    EXPECT_TRUE(lock(kA, 0s));
    EXPECT_TRUE(lock(kB, 1h));
    EXPECT_FALSE(lock(kA, 1h));
}

TEST_P(LockTableTest, WhoHasLostItDoesNotEndTheLockOfAnother) {
    EXPECT_TRUE(lock(kA, 0s));
    EXPECT_TRUE(lock(kB, 1h));
    unlock(kA, 0s);
    EXPECT_FALSE(lock(kA, 1h));
    unlock(kB, 0s);
    EXPECT_TRUE(lock(kA, 1h));
}

TEST_P(LockTableTest, UnlockingWhatWasNeverLockedDoesNothing) {
    unlock(kA, 1h);
    EXPECT_TRUE(lock(kB, 1h));
}

// Where locks lie in a table that has a name.
class LockTableNameTest : public LockTableTest {};

INSTANTIATE_TEST_SUITE_P(Sql, LockTableNameTest,
                         testing::ValuesIn(std::span(kCandidates).last<2>()),
                         [](const auto& store) { return store.param.name; });

TEST_P(LockTableNameTest, ATableOfAnotherNameIsMadeAndItsLocksAreItsOwn) {
    const std::unique_ptr<LockTable> other = open("app_locks");
    EXPECT_TRUE(lock(kA, 1h));
    EXPECT_TRUE(*other->lock(kQueue, kB, 1h));
    EXPECT_FALSE(*open("app_locks")->lock(kQueue, kA, 1h)) << "made once, kept since";
}

TEST_P(LockTableNameTest, WhatCannotBeUsedIsSaidAtOnce) {
    const auto prepared = [&](const std::string& name, LockTableMode mode) {
        return world_->database().lock_table(name)->prepare(mode);
    };
    const Status missing = prepared("app_locks", LockTableMode::check);
    ASSERT_FALSE(missing);
    EXPECT_TRUE(missing.error().code == ErrorCode::not_found ||
                missing.error().code == ErrorCode::conflict);
    EXPECT_NE(missing.error().detail.find("app_locks"), std::string::npos);
    for (const char* name : {"job", "select"}) {
        const Status unusable = prepared(name, LockTableMode::create);
        ASSERT_FALSE(unusable) << name;
        EXPECT_EQ(unusable.error().code, ErrorCode::conflict) << name;
    }
    EXPECT_TRUE(prepared("shedlock", LockTableMode::check));
}

}  // namespace
}  // namespace millrace
