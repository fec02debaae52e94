#include <gtest/gtest.h>

#include <atomic>
#include <set>
#include <thread>

#include "base/mutex.hpp"
#include "engine/idempotent.hpp"
#include "engine/start_instance.hpp"
#include "store/postgres/postgres_database.hpp"
#include "support/instances.hpp"
#include "support/postgres_batches.hpp"
#include "support/postgres_server.hpp"
#include "support/test_node.hpp"

namespace millrace {
namespace {

// Goal: one key starts one instance, whichever servers its requests reach at once.
// Method: two nodes with a connection each get the same starts, in different orders, and commit at
// the same time.
TEST(PostgresIdempotencyTest, TwoServersStartOneInstanceForAKey) {
    constexpr std::uint64_t kKeys = 100;
    constexpr std::uint64_t kRounds = 3;
    PostgresSchema schema;
    PostgresDatabase database({.target = schema.target(), .lock_timeout = 30s});
    ASSERT_TRUE(database.migrate());
    ASSERT_TRUE(write(*database.batch_store(), {.definitions = {definition_record()}}));

    Mutex mutex;
    std::map<std::string, std::set<InstanceId>> started;
    std::size_t first_count = 0;
    const auto run = [&](std::uint64_t node_number) {
        FakeClock clock{kNoon};
        TestNode node(database, clock);
        for (std::uint64_t round = 0; round < kRounds; ++round) {
            for (std::uint64_t n = 0; n < kKeys; ++n) {
                const std::uint64_t k = node_number == 0 ? n : kKeys - 1 - n;
                const std::string key = std::to_string(k);
                const std::uint64_t random = (node_number * kRounds + round) * kKeys + k + 1;
                node.queue().submit(
                    Idempotent<StartInstance>{
                        .request = {.key = {{Id128::for_instance(kNoon, random)}, kWorkspace},
                                    .definition_id = "order"},
                        .key = IdempotencyKey{kWorkspace, std::string(StartInstance::kName), key},
                    },
                    [&, key](const Result<Once<Instance>>& once) {
                        const MutexLock lock(mutex);
                        ASSERT_TRUE(once) << once.error().detail;
                        if (once->answer) ++first_count;
                        started[key].insert(once->answer ? once->answer->key.id
                                                         : once->instance_id.value());
                    });
                // Some alone, some together.
                if (n % 7 == 0) node.commit_once();
            }
            node.commit();
        }
    };
    {
        std::jthread one([&] { run(0); });
        std::jthread other([&] { run(1); });
    }
    EXPECT_EQ(first_count, kKeys);
    ASSERT_EQ(started.size(), kKeys);
    for (const auto& [key, ids] : started) EXPECT_EQ(ids.size(), 1u) << key;
    EXPECT_EQ(database.reader()->instances({kWorkspace}, {})->total,
              static_cast<std::int64_t>(kKeys));
}

}  // namespace
}  // namespace millrace
