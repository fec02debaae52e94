// Goal: batches that touch the same rows are as if one came after the other, and claims share the
// line without sharing a job.
// Method: threads with a connection each do what would be lost or doubled without locks. A store
// that cannot wait answers unavailable, and the batch is tried again, as the committer does.

#include <atomic>
#include <functional>
#include <set>
#include <thread>

#include "store_conformance/store_test.hpp"

namespace millrace {
namespace {

constexpr int kThreads = 4;
constexpr int kRounds = 25;
constexpr int kTriesMax = 100'000;

class ConcurrencyConformance : public StoreTest {
protected:
    static void in_threads(const std::function<void(int)>& work) {
        std::vector<std::jthread> threads;
        for (int n = 0; n < kThreads; ++n) threads.emplace_back([&work, n] { work(n); });
    }

    // Runs batches on a connection of its own until as many as needed are through.
    void run_batches(const Footprint& footprint,
                     const std::function<Writes(const LoadedRows&)>& decide) {
        const std::unique_ptr<BatchStore> store = world_->database().batch_store();
        int done = 0;
        for (int tries = 0; done < kRounds && tries < kTriesMax; ++tries) {
            const Result<LoadedRows> rows = store->load(footprint);
            ASSERT_TRUE(rows) << rows.error().detail;
            const Status status = store->apply(decide(*rows));
            if (status) ++done;
            ASSERT_TRUE(status || status.error().code == ErrorCode::unavailable);
        }
        EXPECT_EQ(done, kRounds);
    }

    // Keeps the job back, then lets it go, and takes it from a worker that has it.
    void suspend_and_resume() {
        const std::unique_ptr<BatchStore> store = world_->database().batch_store();
        int done = 0;
        for (int tries = 0; done < kRounds && tries < kTriesMax; ++tries) {
            ASSERT_TRUE(store->load({.instances = {instance_key(1)}}));
            const Result<LoadedRows> rows = store->extend({.jobs = {job_key(1)}});
            ASSERT_TRUE(rows) << rows.error().detail;
            Job job = rows->jobs.at(0);
            if (job.status == JobState::unlocked) {
                job = keep_back(job, kEndOfTime, kNoon);
            } else {
                job = is_kept_back(job) ? let_go(job) : *undo_claim(job, job.lease_token);
            }
            const Status status = store->apply({.jobs_changed = {job}});
            if (status) ++done;
            ASSERT_TRUE(status || status.error().code == ErrorCode::unavailable);
        }
        EXPECT_EQ(done, kRounds);
    }
};

TEST_P(ConcurrencyConformance, BatchesOnTheSameInstanceFollowEachOther) {
    Instance instance = waiting_instance(1);
    instance.state = {};
    ASSERT_TRUE(write({.instances_new = {instance}}));
    in_threads([&](int) {
        run_batches({.instances = {instance_key(1)}}, [](const LoadedRows& rows) {
            Instance changed = rows.instances.at(0);
            changed.state.sequence += 1;
            return Writes{.instances_changed = {changed}};
        });
    });
    EXPECT_EQ(read(instance_key(1)).value().state.sequence, kThreads * kRounds);
}

TEST_P(ConcurrencyConformance, BatchesOnTheSameJobFollowEachOther) {
    ASSERT_TRUE(write({.jobs_new = {locked_job(1)}}));
    in_threads([&](int) {
        run_batches({.jobs = {job_key(1)}}, [](const LoadedRows& rows) {
            Job changed = rows.jobs.at(0);
            changed.lease_token += 1;
            return Writes{.jobs_changed = {changed}};
        });
    });
    EXPECT_EQ(read(job_key(1)).value().lease_token, 1 + kThreads * kRounds);
}

// A claim of a user task changes the row of the task alone.
TEST_P(ConcurrencyConformance, BatchesOnTheSameUserTaskFollowEachOther) {
    ASSERT_TRUE(
        write({.instances_new = {waiting_instance(1)}, .user_tasks_new = {open_user_task(1)}}));
    in_threads([&](int) {
        run_batches({.instances = {instance_key(1)}, .user_tasks = {user_task_key(1)}},
                    [](const LoadedRows& rows) {
                        UserTask changed = rows.user_tasks.at(0);
                        changed.assignee += "x";
                        return Writes{.user_tasks_changed = {changed}};
                    });
    });
    EXPECT_EQ(read(user_task_key(1)).value().assignee.size(), kThreads * kRounds);
}

// Suspending and resuming against claims: only a claim raises the lease token, so a batch that had
// written over one would be found out.
TEST_P(ConcurrencyConformance, AnExtendedBatchNeverWritesOverAClaim) {
    ASSERT_TRUE(write({.instances_new = {waiting_instance(1)}, .jobs_new = {unlocked_job(1)}}));
    std::atomic<bool> is_over = false;
    std::atomic<std::int64_t> claims = 0;
    std::jthread claiming([&] {
        const std::unique_ptr<JobClaimer> claimer = world_->database().job_claimer();
        const ClaimJobs request{.workspace_id = kWorkspace,
                                .job_type = kCharge,
                                .slots = {{kWorker, kLease}},
                                .now = [] {
                                    return kNoon;
                                }};
        while (!is_over) {
            const auto delivered = claimer->claim_jobs(request);
            ASSERT_TRUE(delivered) << delivered.error().detail;
            claims += static_cast<std::int64_t>(delivered->size());
            std::this_thread::yield();
        }
    });
    in_threads([&](int) { suspend_and_resume(); });
    is_over = true;
    claiming.join();
    EXPECT_EQ(read(job_key(1)).value().lease_token, claims);
}

TEST_P(ConcurrencyConformance, UploadsNeverChooseTheSameVersion) {
    in_threads([&](int) {
        run_batches({.uploads = {{kWorkspace, "order", "text"}}}, [](const LoadedRows& rows) {
            const std::int32_t version = rows.uploads.at(0).second.latest_version + 1;
            return Writes{.definitions = {definition_record("order", version)}};
        });
    });
    const auto latest = *reader_->definition(kWorkspace, "order", 0);
    ASSERT_TRUE(latest);
    EXPECT_EQ(latest->version, kThreads * kRounds);
}

TEST_P(ConcurrencyConformance, ClaimersNeverGetTheSameJob) {
    constexpr std::uint64_t kJobs = 200;
    Writes writes;
    for (std::uint64_t n = 1; n <= kJobs; ++n) writes.jobs_new.push_back(unlocked_job(n));
    ASSERT_TRUE(write(writes));

    std::vector<std::vector<JobKey>> claimed(kThreads);
    std::atomic<std::size_t> count = 0;
    in_threads([&](int thread) {
        const std::unique_ptr<JobClaimer> claimer = world_->database().job_claimer();
        const ClaimJobs request{.workspace_id = kWorkspace,
                                .job_type = kCharge,
                                .slots = {7, ClaimSlot{kWorker, kLease}},
                                .now = [] {
                                    return kNoon;
                                }};
        for (int tries = 0; count < kJobs && tries < kTriesMax; ++tries) {
            const auto delivered = claimer->claim_jobs(request);
            ASSERT_TRUE(delivered) << delivered.error().detail;
            for (const DeliveredJob& item : *delivered) {
                claimed[static_cast<std::size_t>(thread)].push_back(item.job.key);
            }
            count += delivered->size();
        }
    });
    std::set<JobKey> all;
    for (const auto& keys : claimed) all.insert(keys.begin(), keys.end());
    EXPECT_EQ(all.size(), kJobs);
    EXPECT_EQ(count, kJobs);
}

TEST_P(ConcurrencyConformance, ReadersSeeWholeBatchesOnly) {
    ASSERT_TRUE(write({.instances_new = {waiting_instance(1)}}));
    std::atomic<bool> is_done = false;
    std::jthread writer([&] {
        for (std::uint32_t n = 1; n <= 50; ++n) {
            Instance changed = waiting_instance(1);
            changed.state.sequence = n;
            const Status status =
                write({.instances_changed = {changed}, .step_executions = {closed_step(1, n)}});
            EXPECT_TRUE(status);
        }
        is_done = true;
    });
    std::size_t lines = 0;
    while (!is_done) {
        const auto history = *reader_->history(instance_key(1));
        ASSERT_TRUE(history);
        if (history->closed.empty()) continue;
        EXPECT_EQ(history->closed.size(), history->instance.state.sequence);
        EXPECT_GE(history->closed.size(), lines);
        lines = history->closed.size();
    }
    writer.join();
    EXPECT_EQ((*reader_->history(instance_key(1)))->closed.size(), 50u);
}

MILLRACE_FOR_ALL_STORES(ConcurrencyConformance);

}  // namespace
}  // namespace millrace
