#pragma once

#include <atomic>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/clock.hpp"
#include "base/mutex.hpp"
#include "commit/command_queue.hpp"
#include "queue/admit_executions.hpp"
#include "queue/full_workspaces.hpp"
#include "queue/poison_search.hpp"
#include "queue/round_trace.hpp"

namespace millrace {

// Who wants to know what becomes of batches: metrics, log, spans. Called on committers' threads,
// the end of one on any.
class BatchListener {
public:
    virtual ~BatchListener() = default;

    // These were taken up, before anything is done about those that run elsewhere. May be none.
    virtual void on_batch_claimed(const AdmittedExecutions& batch) = 0;
    // All of one is over that was not empty.
    virtual void on_batch_over(Duration took) = 0;
    virtual void on_capacity_reached(const WorkspaceAtCapacity& workspace) = 0;
    virtual void on_failure(const Error& error) = 0;
};

// Lets one batch of executions in, wherever they wait, and sees to it that they are started: the
// work of a round of dispatcher.mode single. Nothing wakes it, and it remembers nothing from one
// batch to the next but how far it has looked.
//
// Thread-safe; one batch at a time.
class BatchDispatcher {
public:
    struct Config {
        std::string owner{};
        Duration lease = std::chrono::seconds{30};
        Plans plans{};
        DispatchRules rules{};
        std::int32_t batch_size = 10;
        const observe::Tracer* tracer = nullptr;  // Null: no span tells of anything.
    };

    struct Remote {
        // As RemoteRuns::begin.
        std::function<void(std::vector<ClaimedExecution>, std::function<void()> over)> begin{};
        std::function<std::map<std::string, Instant>()> closed_targets{};
    };

    BatchDispatcher(CommandQueue& commands, BatchListener& listener, const Clock& clock,
                    Config config, Remote remote);

    // `end` is called once, on any thread, when every start is written down.
    void begin(std::function<void()> end);
    // Whether a batch is being let in, or what it has claimed is not handed on yet.
    bool is_busy() const { return batches_open_ > 0; }

private:
    void submit_round();
    AdmitExecutions next_round(Instant now) MILLRACE_REQUIRES(mutex_);
    void end_round(Result<AdmittedExecutions> result);
    // Whether another round of the same batch may find more.
    bool learn(AdmittedExecutions round) MILLRACE_REQUIRES(mutex_);
    bool learn_failure(const Error& error) MILLRACE_REQUIRES(mutex_);
    void start_batch();
    void end_batch();

    // Rounds of one batch: what is parked or put off is no part of it, and a poison takes some to
    // be found. What is left waits for the next batch.
    static constexpr int kRoundsMax = 100;

    CommandQueue& commands_;
    BatchListener& listener_;
    const Clock& clock_;
    const Config config_;
    const Remote remote_;
    std::atomic<int> batches_open_ = 0;  // Begun, and not handed on.

    Mutex mutex_;
    std::function<void()> end_ MILLRACE_GUARDED_BY(mutex_);
    AdmittedExecutions batch_ MILLRACE_GUARDED_BY(mutex_);
    std::shared_ptr<RoundTrace> trace_ MILLRACE_GUARDED_BY(mutex_);  // Of the batch under way.
    bool is_empty_ MILLRACE_GUARDED_BY(mutex_) = true;
    Instant began_at_ MILLRACE_GUARDED_BY(mutex_){};
    int rounds_ MILLRACE_GUARDED_BY(mutex_) = 0;
    WorkspaceId lines_after_ MILLRACE_GUARDED_BY(mutex_);
    ConcurrencyKey keys_after_ MILLRACE_GUARDED_BY(mutex_);
    FullWorkspaces full_ MILLRACE_GUARDED_BY(mutex_);
    PoisonSearch poison_ MILLRACE_GUARDED_BY(mutex_);
};

}  // namespace millrace
