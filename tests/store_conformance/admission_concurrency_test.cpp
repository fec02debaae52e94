// Goal: however many dispatchers let items in at once, no limit is exceeded and no item is let in
// twice, and none is lost to those that come and go meanwhile.
// Method: threads with a connection each run whole admissions, decided by the core. A store that
// cannot wait answers unavailable, and the batch is tried again, as the committer does.

#include <atomic>
#include <functional>
#include <map>
#include <set>
#include <thread>

#include "base/mutex.hpp"
#include "store_conformance/admission_test.hpp"

namespace millrace {
namespace {

constexpr int kThreads = 4;
constexpr int kTriesMax = 100'000;

// One who lets items in, for as long as there are any.
class Dispatcher {
public:
    explicit Dispatcher(Database& database) : store_(database.batch_store()) {}

    // Empty: somebody was in the way.
    std::optional<std::vector<Execution>> admit_once(AdmissionRequest request) {
        request.quota = [](const WorkspaceLine& line, std::size_t) {
            const WorkspaceLimits limits = limits_of(line.workspace, default_plans());
            return quota_of(limits, line.state, line.active, round(), kNow).count;
        };
        const Result<LoadedRows> rows = store_->load({.admission = std::move(request)});
        if (!rows) {
            EXPECT_EQ(rows.error().code, ErrorCode::unavailable) << rows.error().detail;
            return std::nullopt;
        }
        Writes writes;
        std::vector<Execution> taken;
        for (const WorkspaceLine& line : rows->admission.lines) decide(line, writes, taken);
        const Status status = store_->apply(writes);
        if (status) return taken;
        EXPECT_EQ(status.error().code, ErrorCode::unavailable) << status.error().detail;
        return std::nullopt;
    }

private:
    static AdmissionRound round() { return {.share = 3, .items_left = 1'000}; }

    static constexpr Instant kNow = kNoon + 1h;

    static void decide(const WorkspaceLine& line, Writes& writes, std::vector<Execution>& taken) {
        const WorkspaceLimits limits = limits_of(line.workspace, default_plans());
        const LineDecision decision = admit(line, limits, round(), kNow);
        for (const std::size_t place : decision.taken) {
            taken.push_back(claim(line.ready[place].execution, kReplica, std::nullopt, kNow));
            writes.executions_changed.push_back(taken.back());
        }
        for (const std::size_t place : decision.parked) {
            writes.executions_changed.push_back(line.ready[place].execution);
            writes.executions_changed.back().place = QueuePlace::parked;
        }
        writes.lines.push_back({line.workspace.id, decision.state});
    }

    std::unique_ptr<BatchStore> store_;
};

class AdmissionConcurrencyConformance : public AdmissionTest {
protected:
    static void in_threads(const std::function<void(int)>& work) {
        std::vector<std::jthread> threads;
        for (int n = 0; n < kThreads; ++n) threads.emplace_back([&work, n] { work(n); });
    }

    // Lets all dispatchers run until none of them finds anything more.
    std::vector<Execution> admit_all(const AdmissionRequest& request) {
        Mutex mutex;
        std::vector<Execution> all;
        in_threads([&](int) {
            Dispatcher dispatcher(world_->database());
            int idle = 0;
            for (int tries = 0; idle < 3 && tries < kTriesMax; ++tries) {
                const auto taken = dispatcher.admit_once(request);
                if (!taken) continue;
                idle = taken->empty() ? idle + 1 : 0;
                const MutexLock guard(mutex);
                all.insert(all.end(), taken->begin(), taken->end());
            }
            EXPECT_EQ(idle, 3);
        });
        return all;
    }

    QueueCounts counts(const WorkspaceId& id) { return (*reader_->queue(id))->counts; }

    void enqueue(std::uint64_t first, std::uint64_t last, const WorkspaceId& workspace,
                 const std::function<std::string(std::uint64_t)>& key = {}) {
        Writes writes;
        for (std::uint64_t n = first; n <= last; ++n) {
            writes.executions_new.push_back(enqueued(pending_execution(n, workspace)));
            if (key) writes.executions_new.back().execution.concurrency_key = key(n);
        }
        ASSERT_TRUE(write(writes));
    }

    void end(const std::vector<Execution>& executions) {
        Writes writes;
        for (const Execution& each : executions) {
            writes.executions_ended.push_back({.key = each.key, .at = kNoon + 2h});
        }
        std::ranges::sort(writes.executions_ended, {}, &ExecutionEnd::key);
        ASSERT_TRUE(write(writes));
    }
};

// Counting in the statement that locks, or without a lock, would let in up to four times as many.
TEST_P(AdmissionConcurrencyConformance, NeverLetsInMoreThanTheLimit) {
    constexpr std::uint64_t kCount = 60;
    constexpr std::int64_t kLimit = 5;
    ASSERT_TRUE(write(competing(kWorkspace)));  // PRO: five at once.
    enqueue(1, kCount, kWorkspace);
    std::set<ExecutionKey> let_in;
    AdmissionRequest request;
    for (std::uint64_t done = 0; done < kCount; done += kLimit) {
        const std::vector<Execution> taken = admit_all(request);
        EXPECT_EQ(std::ssize(taken), kLimit);
        EXPECT_EQ(counts(kWorkspace).claimed, kLimit);
        for (const Execution& each : taken) EXPECT_TRUE(let_in.insert(each.key).second);
        end(taken);
        request.woken = {kWorkspace};
    }
    EXPECT_EQ(let_in.size(), kCount);
    EXPECT_TRUE(admit_all(request).empty());
}

TEST_P(AdmissionConcurrencyConformance, NeverLetsInMoreOfAKeyThanItsLimit) {
    constexpr std::uint64_t kCount = 40;
    Writes writes = competing(kWorkspace);
    writes.workspaces[0].plan = "UNLIMITED";
    writes.workspaces[0].max_per_key = 2;
    ASSERT_TRUE(write(writes));
    const char* kKeys[] = {"a", "b", "c", "d"};
    enqueue(1, kCount, kWorkspace, [&](std::uint64_t n) { return kKeys[n % 4]; });
    AdmissionRequest request;
    std::size_t done = 0;
    for (int rounds = 0; rounds < 20 && done < kCount; ++rounds) {
        const std::vector<Execution> taken = admit_all(request);
        std::map<std::string, int> by_key;
        for (const Execution& each : taken) by_key[each.concurrency_key] += 1;
        for (const auto& [key, count] : by_key) EXPECT_EQ(count, 2) << key;
        EXPECT_EQ(counts(kWorkspace).claimed, 8);
        done += taken.size();
        end(taken);
        request.woken = {kWorkspace};
        for (const char* key : kKeys) request.woken_keys.push_back({kWorkspace, key});
    }
    EXPECT_EQ(done, kCount);
    EXPECT_EQ(counts(kWorkspace), QueueCounts{});
}

// Goal: items come, end and are cancelled while others let in; at no moment are there more than the
// limit, and each ends once.
// Method: a reader looks all the time, and the dispatchers note what they take.
TEST_P(AdmissionConcurrencyConformance, KeepsTheLimitWhileItemsComeAndGo) {
    constexpr std::uint64_t kCount = 120;
    constexpr std::int64_t kLimit = 5;
    ASSERT_TRUE(write(competing(kWorkspace)));
    std::atomic<std::size_t> ended = 0;
    std::atomic<std::size_t> cancelled = 0;
    Mutex mutex;
    std::map<ExecutionKey, int> taken;

    std::jthread enqueuer([&] {
        const std::unique_ptr<BatchStore> store = world_->database().batch_store();
        for (std::uint64_t n = 1; n <= kCount; ++n) {
            ASSERT_TRUE(store->load({}));
            ASSERT_TRUE(store->apply({.executions_new = {enqueued(pending_execution(n))}}));
        }
    });
    std::jthread canceller([&] {
        const std::unique_ptr<BatchStore> store = world_->database().batch_store();
        for (std::uint64_t n = 10; n <= kCount; n += 10) {
            for (int tries = 0; tries < kTriesMax; ++tries) {
                const Result<LoadedRows> rows = store->load({.executions = {execution_key(n)}});
                ASSERT_TRUE(rows) << rows.error().detail;
                Writes writes;
                for (const Execution& each : rows->executions) {
                    if (each.queue_status != QueueStatus::pending) continue;
                    const ExecutionEnd end{.queue_status = QueueStatus::cancelled, .at = kNoon};
                    writes.executions_changed.push_back(*millrace::ended(each, end));
                }
                const bool is_there = !rows->executions.empty();
                const Status status = store->apply(writes);
                ASSERT_TRUE(status || status.error().code == ErrorCode::unavailable);
                if (!status || !is_there) continue;
                cancelled += writes.executions_changed.size();
                break;
            }
        }
    });
    in_threads([&](int) {
        Dispatcher dispatcher(world_->database());
        const std::unique_ptr<BatchStore> store = world_->database().batch_store();
        const AdmissionRequest request{.woken = {kWorkspace}};
        for (int tries = 0; ended + cancelled < kCount && tries < kTriesMax; ++tries) {
            const auto mine = dispatcher.admit_once(request);
            if (!mine) continue;
            for (const Execution& each : *mine) {
                ASSERT_TRUE(store->load({}));
                ASSERT_TRUE(store->apply({.executions_ended = {{.key = each.key, .at = kNoon}}}));
                ended += 1;
                const MutexLock guard(mutex);
                taken[each.key] += 1;
            }
            EXPECT_LE(world_->database().reader()->queue(kWorkspace)->value().counts.claimed,
                      kLimit);
        }
    });
    enqueuer.join();
    canceller.join();
    EXPECT_EQ(ended + cancelled, kCount);
    for (const auto& [key, count] : taken) EXPECT_EQ(count, 1);
    EXPECT_EQ(counts(kWorkspace), QueueCounts{});
}

MILLRACE_FOR_ALL_STORES(AdmissionConcurrencyConformance);

// A store that several processes share skips what others have locked. It never waits: a dispatcher
// that is stuck with its locks would stop all others.
class SharedAdmissionConformance : public AdmissionTest {
protected:
    std::unique_ptr<BatchStore> other_ = world_->database().batch_store();
};

TEST_P(SharedAdmissionConformance, LeavesOutLinesThatAreLocked) {
    ASSERT_TRUE(write(competing(kWorkspace)));
    ASSERT_TRUE(write(competing(kOtherWorkspace, 1)));
    ASSERT_TRUE(write({.executions_new = {enqueued(pending_execution(1)),
                                          enqueued(pending_execution(2, kOtherWorkspace))},
                       .workspaces = {workspace_named("asleep")}}));
    const auto first = other_->load({.admission = asking({.woken = {{"asleep"}}, .lines_max = 1})});
    ASSERT_TRUE(first);
    EXPECT_EQ(names(first->admission.lines), std::vector<std::string>{"acme"});

    const AdmissionRows second = look(asking({.woken = {kWorkspace, {"asleep"}}}));
    EXPECT_EQ(names(second.lines), std::vector<std::string>{"globex"});
    EXPECT_EQ(second.still_asleep, std::vector<WorkspaceId>{{"asleep"}});
    other_->abandon();
    EXPECT_EQ(names(look(asking()).lines), (std::vector<std::string>{"acme", "globex"}));
}

TEST_P(SharedAdmissionConformance, LeavesOutItemsThatAreLocked) {
    ASSERT_TRUE(write(competing(kWorkspace)));
    ASSERT_TRUE(write(
        {.executions_new = {enqueued(pending_execution(1)), enqueued(pending_execution(2))}}));
    ASSERT_TRUE(other_->load({.executions = {execution_key(1)}}));
    const auto lines = look(asking()).lines;
    ASSERT_EQ(lines.size(), 1u);
    EXPECT_EQ(keys(lines[0]), std::vector{execution_key(2)});
    EXPECT_EQ(lines[0].ready_count, 2);
    other_->abandon();
    EXPECT_EQ(look(asking()).lines.at(0).ready.size(), 2u);
}

TEST_P(SharedAdmissionConformance, LeavesOutInstancesAndOrphansThatAreLocked) {
    ASSERT_TRUE(write(competing(kWorkspace)));
    Execution resuming = pending_execution(1);
    resuming.is_resuming = true;
    resuming.instance_id = instance_key(1).id;
    ASSERT_TRUE(
        write({.instances_new = {waiting_instance(1)},
               .executions_new = {enqueued(resuming), enqueued(pending_execution(2, {"gone"})),
                                  enqueued(pending_execution(3, {"gone"}))}}));
    ASSERT_TRUE(
        other_->load({.instances = {instance_key(1)}, .executions = {execution_key(2, {"gone"})}}));
    const AdmissionRows rows = look(looking_everywhere());
    ASSERT_EQ(rows.lines.size(), 1u);
    for (const WaitingExecution& each : rows.lines[0].ready) {
        EXPECT_EQ(each.instance, std::nullopt);
    }
    EXPECT_EQ(keys(rows.orphans), std::vector{execution_key(3, {"gone"})});
    other_->abandon();
}

// An end deletes its own row alone: it waits for no admission, and no admission for it.
TEST_P(SharedAdmissionConformance, EndsAndArrivalsWaitForNobody) {
    ASSERT_TRUE(write(competing(kWorkspace)));
    ASSERT_TRUE(write(
        {.executions_new = {enqueued(claimed_execution(1)), enqueued(pending_execution(2))}}));
    const auto admission = other_->load({.admission = asking()});
    ASSERT_TRUE(admission);
    ASSERT_TRUE(write({.executions_ended = {{.key = execution_key(1), .at = kNoon}}}));
    ASSERT_TRUE(write({.executions_new = {enqueued(pending_execution(3))}}));
    const Execution taken =
        claim(admission->admission.lines.at(0).ready.at(0).execution, kReplica, kNoon, kNoon);
    ASSERT_TRUE(other_->apply({.executions_changed = {taken}}));
    EXPECT_EQ((*reader_->queue(kWorkspace))->counts.ready, 1);
    EXPECT_EQ((*reader_->queue(kWorkspace))->counts.claimed, 1);
}

INSTANTIATE_TEST_SUITE_P(Shared, SharedAdmissionConformance,
                         testing::Values(Candidate{"Postgres", make_postgres_world}),
                         [](const auto& store) { return store.param.name; });

}  // namespace
}  // namespace millrace
