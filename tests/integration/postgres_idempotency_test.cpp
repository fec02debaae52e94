#include <gtest/gtest.h>

#include <atomic>
#include <set>
#include <thread>

#include "base/mutex.hpp"
#include "commit/committer.hpp"
#include "engine/idempotent.hpp"
#include "engine/start_instance.hpp"
#include "store/postgres/postgres_database.hpp"
#include "support/fake_clock.hpp"
#include "support/instances.hpp"
#include "support/postgres_batches.hpp"
#include "support/postgres_server.hpp"

namespace millrace {
namespace {

class NoDemand final : public JobDemand {
public:
    std::vector<JobGrant> reserve(std::span<const WaitingType>) override { return {}; }
    void deliver(std::span<const JobGrant>, std::vector<DeliveredJob>) override {}
    void give_back(std::span<const JobGrant>) override {}
    void announce(std::span<const WaitingType>) override {}
};

class NoListener final : public CommitListener {
public:
    void on_commit(const Writes&) override {}
    void on_batch(std::size_t, Duration, Duration) override {}
    void on_command(std::string_view, Duration) override {}
};

// The committing half of a server.
struct CommittingNode {
    explicit CommittingNode(PostgresDatabase& database) : store(database.batch_store()) {}

    const FakeClock clock{kNoon};
    NoDemand demand;
    NoListener listener;
    CommandQueue queue{[] {
    }};
    std::unique_ptr<BatchStore> store;
    Committer committer{*store, queue, demand, listener, clock};
};

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
        CommittingNode node(database);
        for (std::uint64_t round = 0; round < kRounds; ++round) {
            for (std::uint64_t n = 0; n < kKeys; ++n) {
                const std::uint64_t k = node_number == 0 ? n : kKeys - 1 - n;
                const std::string key = std::to_string(k);
                const std::uint64_t random = (node_number * kRounds + round) * kKeys + k + 1;
                node.queue.submit(
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
                if (n % 7 == 0) node.committer.run_once();
            }
            while (!node.committer.run_once().is_idle()) {
            }
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
