#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <random>
#include <set>
#include <thread>

#include "base/mutex.hpp"
#include "store/postgres/postgres_database.hpp"
#include "support/postgres_batches.hpp"
#include "support/postgres_server.hpp"

namespace millrace {
namespace {

constexpr std::uint64_t kInstances = 300;
constexpr int kBatches = 60;
constexpr std::size_t kBatchSize = 40;

// Goal: batches and claims of several processes on the same rows neither deadlock nor hand a job
// out twice. Method: all at once, on few instances, in any order; each job is completed by whoever
// has it, and counted. Half of the batches suspend and resume instances.
class PostgresStressTest : public testing::Test {
protected:
    PostgresStressTest() : database_({.target = schema_.target(), .lock_timeout = 30s}) {
        EXPECT_TRUE(database_.migrate());
        EXPECT_TRUE(write(*database_.batch_store(), starts(1, kInstances)));
    }

    // Puts jobs back in line and gives others a copy of the variables, as failing commands do.
    void run_batches(std::uint64_t seed) {
        std::mt19937_64 random(seed);
        const auto store = database_.batch_store();
        for (int i = 0; i < kBatches; ++i) {
            Footprint footprint;
            for (std::size_t k = 0; k < kBatchSize; ++k) {
                const std::uint64_t n = 1 + random() % kInstances;
                footprint.instances.push_back(instance_key(n));
                footprint.jobs.push_back(job_key(n));
            }
            footprint.normalise();
            if (random() % 2 == 0) {
                suspend_or_resume(*store, footprint);
                continue;
            }
            const Result<LoadedRows> rows = store->load(footprint);
            note(rows ? ok() : Status(rows.error()));
            if (rows) note(store->apply(decide(*rows)));
        }
    }

    // Learns of the jobs only from the instances, and locks them late.
    void suspend_or_resume(BatchStore& store, const Footprint& footprint) {
        Result<LoadedRows> rows = store.load({.instances = footprint.instances});
        if (!rows) return note(rows.error());
        Result<LoadedRows> more = store.extend({.jobs = footprint.jobs});
        if (!more) return note(more.error());
        Writes writes;
        for (Instance& instance : rows->instances) {
            instance.state.is_suspended = !instance.state.is_suspended;
            const JobKey key{job_of({instance.key.id.value.with_sequence(1)}), kWorkspace};
            const auto job = std::ranges::find(more->jobs, key, &Job::key);
            ASSERT_NE(job, more->jobs.end());
            const Job changed =
                instance.state.is_suspended ? keep_back(*job, kEndOfTime, kNoon) : let_go(*job);
            if (changed != *job) writes.jobs_changed.push_back(changed);
            writes.instances_changed.push_back(std::move(instance));
        }
        note(store.apply(writes));
    }

    static Writes decide(const LoadedRows& rows) {
        Writes writes;
        for (Instance instance : rows.instances) {
            instance.state.sequence += 1;
            writes.instances_changed.push_back(instance);
        }
        for (Job job : rows.jobs) {
            if (job.status != JobState::locked) {
                writes.job_variables.push_back({job.key, Variables::from_text(R"({"a":1})")});
                continue;
            }
            job.lease.reset();
            job.status = JobState::unlocked;
            job.seq = 0;
            writes.jobs_changed.push_back(job);
        }
        return writes;
    }

    void run_claims(const WorkerId& worker) {
        const auto claimer = database_.job_claimer();
        while (!is_over_) {
            const ClaimJobs request{.workspace_id = kWorkspace,
                                    .job_type = kCharge,
                                    .slots = std::vector<ClaimSlot>(7, {worker, kLease}),
                                    .now = [] {
                                        return kNoon;
                                    }};
            const Result<std::vector<DeliveredJob>> jobs = claimer->claim_jobs(request);
            note(jobs ? ok() : Status(jobs.error()));
            if (jobs) remember(*jobs);
        }
    }

    void remember(const std::vector<DeliveredJob>& jobs) {
        const MutexLock lock(mutex_);
        for (const DeliveredJob& delivered : jobs) {
            const bool is_first =
                handed_out_.emplace(delivered.job.key, delivered.job.lease_token).second;
            EXPECT_TRUE(is_first) << "handed out twice";
        }
    }

    void note(const Status& status) {
        if (status) return;
        const MutexLock lock(mutex_);
        ADD_FAILURE() << status.error().detail;
    }

    PostgresSchema schema_;
    PostgresDatabase database_;
    std::atomic<bool> is_over_ = false;
    Mutex mutex_;
    std::set<std::pair<JobKey, std::int64_t>> handed_out_ MILLRACE_GUARDED_BY(mutex_);
};

TEST_F(PostgresStressTest, NothingDeadlocksAndNoJobIsHandedOutTwice) {
    std::vector<std::thread> batches;
    for (std::uint64_t seed = 1; seed <= 4; ++seed) {
        batches.emplace_back([this, seed] { run_batches(seed); });
    }
    std::vector<std::thread> claims;
    for (const std::string worker : {"a", "b", "c"}) {
        claims.emplace_back([this, worker] { run_claims({worker}); });
    }
    for (std::thread& thread : batches) thread.join();
    is_over_ = true;
    for (std::thread& thread : claims) thread.join();

    const MutexLock lock(mutex_);
    EXPECT_GT(handed_out_.size(), kInstances) << "jobs went out more than once, with new tokens";
}

}  // namespace
}  // namespace millrace
