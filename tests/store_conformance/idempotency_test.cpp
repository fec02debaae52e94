// What stores promise about idempotency keys: the load locks a key, also one without a record,
// until the batch ends, and reads the record; a record is written once and forgotten when it is
// old.

#include <atomic>
#include <thread>

#include "core/limits.hpp"
#include "store_conformance/store_test.hpp"

namespace millrace {
namespace {

constexpr std::string_view kStart = "instance.start";

IdempotencyKey key_named(std::string key, WorkspaceId workspace_id = kWorkspace) {
    return {std::move(workspace_id), std::string(kStart), std::move(key)};
}

IdempotencyRecord record_of(IdempotencyKey key, Instant created_at = kNoon) {
    IdempotencyRecord record{.key = std::move(key), .created_at = created_at};
    for (std::size_t i = 0; i < record.request_hash.size(); ++i) {
        record.request_hash[i] = static_cast<std::uint8_t>(255 - 8 * i);
    }
    return record;
}

class IdempotencyConformance : public StoreTest {
protected:
    std::optional<IdempotencyRecord> read_record(const IdempotencyKey& key) {
        return first(load({.idempotency_keys = {key}}).idempotency_records);
    }
};

TEST_P(IdempotencyConformance, GivesBackWhatWasWritten) {
    IdempotencyRecord start = record_of(key_named("Schlüssel \"1\""));
    start.instance_id = instance_key(1).id;
    const IdempotencyRecord signal = record_of({kWorkspace, "instance.signal_wait", "k"});
    ASSERT_TRUE(write({.idempotency_records = {start, signal}}));
    EXPECT_EQ(read_record(start.key), start);
    EXPECT_EQ(read_record(signal.key), signal);
    EXPECT_EQ(load({.idempotency_keys = {start.key, key_named("none"), signal.key}})
                  .idempotency_records.size(),
              2u);
}

TEST_P(IdempotencyConformance, AKeyBelongsToItsWorkspaceAndItsOperation) {
    ASSERT_TRUE(write({.idempotency_records = {record_of(key_named("k"))}}));
    EXPECT_EQ(read_record(key_named("k", kOtherWorkspace)), std::nullopt);
    EXPECT_EQ(read_record({kWorkspace, "instance.signal_wait", "k"}), std::nullopt);
    EXPECT_EQ(read_record(key_named("K")), std::nullopt);
    EXPECT_TRUE(write({.idempotency_records = {record_of(key_named("k", kOtherWorkspace))}}));
}

TEST_P(IdempotencyConformance, RefusesASecondRecordOfAKeyAndAllThatComesWithIt) {
    ASSERT_TRUE(write({.idempotency_records = {record_of(key_named("k"))}}));
    const Status status = write({.instances_new = {waiting_instance(1)},
                                 .idempotency_records = {record_of(key_named("k"), kNoon + 1s)}});
    EXPECT_EQ(code_of(status), ErrorCode::data_refused);
    EXPECT_EQ(read(instance_key(1)), std::nullopt);
    EXPECT_EQ(read_record(key_named("k")), record_of(key_named("k")));
}

TEST_P(IdempotencyConformance, RefusesAKeyThatIsNoText) {
    EXPECT_EQ(code_of(write({.idempotency_records = {record_of(key_named("\xFF"))}})),
              ErrorCode::data_refused);
}

TEST_P(IdempotencyConformance, OfManyWithOneKeyOneIsFirstAndTheOthersSeeItsRecord) {
    constexpr int kThreads = 4;
    constexpr int kKeys = 10;
    std::atomic<int> firsts = 0;
    std::atomic<int> repetitions = 0;
    const auto use = [&](BatchStore& store, const IdempotencyKey& key) {
        while (true) {
            const Result<LoadedRows> rows = store.load({.idempotency_keys = {key}});
            if (!rows) return false;
            const bool is_first = rows->idempotency_records.empty();
            Writes writes;
            if (is_first) writes.idempotency_records = {record_of(key)};
            const Status status = store.apply(writes);
            // A store that cannot wait says so, and the batch is tried again.
            if (!status && status.error().code == ErrorCode::unavailable) continue;
            if (status) (is_first ? firsts : repetitions) += 1;
            return static_cast<bool>(status);
        }
    };
    {
        std::vector<std::jthread> threads;
        for (int n = 0; n < kThreads; ++n) {
            threads.emplace_back([&] {
                const auto store = world_->database().batch_store();
                for (int k = 0; k < kKeys; ++k) {
                    EXPECT_TRUE(use(*store, key_named(std::to_string(k))));
                }
            });
        }
    }
    EXPECT_EQ(firsts, kKeys);
    EXPECT_EQ(repetitions, kKeys * (kThreads - 1));
}

TEST_P(IdempotencyConformance, ForgetsWhatIsOlderAndTellsTheOldest) {
    EXPECT_EQ(*reader_->oldest_idempotency_record(), std::nullopt);
    ASSERT_TRUE(write({.idempotency_records = {
                           record_of(key_named("old"), kNoon - 1s), record_of(key_named("at noon")),
                           record_of(key_named("old", kOtherWorkspace), kNoon - 2s)}}));
    EXPECT_EQ(*reader_->oldest_idempotency_record(), kNoon - 2s);
    ASSERT_TRUE(write({.idempotency_forgotten_before = kNoon}));
    EXPECT_EQ(read_record(key_named("old")), std::nullopt);
    EXPECT_EQ(read_record(key_named("old", kOtherWorkspace)), std::nullopt);
    EXPECT_TRUE(read_record(key_named("at noon")));
    EXPECT_EQ(*reader_->oldest_idempotency_record(), kNoon);
}

TEST_P(IdempotencyConformance, ForgetsTheOldestFirstAndSoManyAtOnce) {
    Writes writes;
    for (int n = 0; n <= limits::kIdempotencyForgottenMax; ++n) {
        writes.idempotency_records.push_back(
            record_of(key_named(std::to_string(n)), kNoon + Duration{n}));
    }
    ASSERT_TRUE(write(writes));
    const Instant last = kNoon + Duration{limits::kIdempotencyForgottenMax};
    ASSERT_TRUE(write({.idempotency_forgotten_before = kNoon + 1h}));
    EXPECT_EQ(*reader_->oldest_idempotency_record(), last);
    ASSERT_TRUE(write({.idempotency_forgotten_before = kNoon + 1h}));
    EXPECT_EQ(*reader_->oldest_idempotency_record(), std::nullopt);
}

MILLRACE_FOR_ALL_STORES(IdempotencyConformance);

}  // namespace
}  // namespace millrace
