#include "scheduler/idempotency_forgetter.hpp"

#include <gtest/gtest.h>

#include "core/limits.hpp"
#include "store/memory/memory_database.hpp"
#include "support/faulty_database.hpp"
#include "support/test_node.hpp"

namespace millrace {
namespace {

// A database that holds keys of different age, and a committer without a thread.
class IdempotencyForgetterTest : public testing::Test {
protected:
    void add_keys(int count, Instant created_at) {
        const auto store = memory_.batch_store();
        ASSERT_TRUE(store->load({}));
        Writes writes;
        for (int n = 0; n < count; ++n) {
            writes.idempotency_records.push_back(
                {.key = {kWorkspace, "instance.start", std::to_string(++last_)},
                 .created_at = created_at});
        }
        ASSERT_TRUE(store->apply(writes));
    }

    std::optional<Instant> oldest() { return *node_.reader().oldest_idempotency_record(); }

    FakeClock clock_{kNoon};
    MemoryDatabase memory_;
    FaultPlan plan_;
    FaultyDatabase database_{memory_, plan_};
    TestNode node_{database_, clock_};
    int wakes_ = 0;
    IdempotencyForgetter forgetter_{node_.reader(), node_.queue(), clock_, [this] {
                                        wakes_ += 1;
                                    }};
    int last_ = 0;
};

TEST_F(IdempotencyForgetterTest, LooksOnceAnHour) {
    EXPECT_EQ(forgetter_.run_once().next_at, kNoon + 1h);
    add_keys(1, kNoon - limits::kIdempotencyKept - 1s);
    clock_.advance(59min);
    EXPECT_EQ(forgetter_.run_once().next_at, kNoon + 1h);
    node_.commit();
    EXPECT_TRUE(oldest());
    clock_.advance(1min);
    EXPECT_EQ(forgetter_.run_once().next_at, std::nullopt);
    node_.commit();
    EXPECT_EQ(oldest(), std::nullopt);
}

TEST_F(IdempotencyForgetterTest, KeepsWhatIsNotOlderThanPromised) {
    add_keys(1, kNoon - limits::kIdempotencyKept);
    EXPECT_EQ(forgetter_.run_once().next_at, kNoon + 1h);
    node_.commit();
    EXPECT_EQ(oldest(), kNoon - limits::kIdempotencyKept);
    clock_.advance(1h);
    forgetter_.run_once();
    node_.commit();
    EXPECT_EQ(oldest(), std::nullopt);
}

TEST_F(IdempotencyForgetterTest, GoesOnBatchByBatchUntilNothingIsOld) {
    add_keys(static_cast<int>(2 * limits::kIdempotencyForgottenMax + 1),
             kNoon - limits::kIdempotencyKept - 1s);
    add_keys(1, kNoon);
    for (int batch = 1; batch <= 3; ++batch) {
        EXPECT_EQ(forgetter_.run_once().next_at, std::nullopt);
        EXPECT_EQ(forgetter_.run_once().next_at, std::nullopt) << "one batch at a time";
        node_.commit();
        EXPECT_EQ(wakes_, batch);
    }
    EXPECT_EQ(forgetter_.run_once().next_at, kNoon + 1h);
    EXPECT_EQ(oldest(), kNoon);
    EXPECT_EQ(node_.listener().batch_sizes.size(), 3u);
}

TEST_F(IdempotencyForgetterTest, TriesAgainInAnHourWhatCouldNotBeDone) {
    add_keys(1, kNoon - limits::kIdempotencyKept - 1s);
    plan_ = {.fault = Fault::refused, .first = 1, .count = 1'000};
    forgetter_.run_once();
    node_.give_up();
    EXPECT_TRUE(oldest());
    EXPECT_EQ(forgetter_.run_once().next_at, clock_.now() + 1h);
    plan_ = {};
    clock_.advance(1h);
    forgetter_.run_once();
    node_.commit();
    EXPECT_EQ(oldest(), std::nullopt);
}

}  // namespace
}  // namespace millrace
