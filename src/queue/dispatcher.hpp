#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/clock.hpp"
#include "base/mutex.hpp"
#include "base/round.hpp"
#include "commit/command_queue.hpp"
#include "queue/admit_executions.hpp"
#include "queue/full_workspaces.hpp"
#include "queue/poison_search.hpp"
#include "queue/round_trace.hpp"
#include "store/effects.hpp"

namespace millrace {

// Who wants to know what the dispatcher does: metrics, log, spans. Called on committers' threads.
class DispatcherListener {
public:
    virtual ~DispatcherListener() = default;

    // A round is over that looked at something.
    virtual void on_round(const AdmittedExecutions& round, Duration took) = 0;
    // A workspace is full, and was not when it was last looked at.
    virtual void on_capacity_reached(const WorkspaceAtCapacity& workspace) = 0;
    virtual void on_failure(const Error& error) = 0;
};

// Lets executions in: one round after the other while there is something to let in, then none until
// something comes, ends or changes. What this process commits is told to it by on_commit, what
// others do by hear(); whatever is missed, the net finds, which looks everywhere every few seconds.
//
// Passive: a thread of src/runtime, a test or the simulator calls run_once. Thread-safe.
class Dispatcher {
public:
    struct Config {
        std::string owner{};
        Duration lease = std::chrono::seconds{30};
        Plans plans{};
        DispatchRules rules{};
        std::int32_t items_max = 200;  // Let in by one round.
        Duration net_interval = std::chrono::seconds{5};
        // When the net is first drawn: replicas that start together should not do it together.
        Duration first_net_after{};
        const observe::Tracer* tracer = nullptr;  // Null: no span tells of anything.
    };

    struct Remote {
        std::function<void(std::vector<ClaimedExecution>)> begin{};
        std::function<std::map<std::string, Instant>()> closed_targets{};
    };

    // `wake` is called when run_once should be, on any thread.
    Dispatcher(CommandQueue& commands, DispatcherListener& listener, const Clock& clock,
               Config config, Remote remote, std::function<void()> wake);

    // What was committed in this process.
    void on_commit(const Writes& writes);
    // Something has come to these workspaces by other ways.
    void hear(const std::vector<WorkspaceId>& workspaces);
    // Perhaps everywhere.
    void hear_of_anything();

    // Begins a round, unless one is under way or there is nothing to do.
    Round run_once();

    // No further rounds; the one under way ends.
    void stop();
    // Whether a round is under way, or what it has claimed is not handed on yet.
    bool is_busy() const;

private:
    // What may be worth a look, and whether it is the second one after it was found with nothing to
    // let in: a second look that finds nothing is the last.
    struct Wakes {
        std::map<WorkspaceId, bool> lines{};
        std::map<ConcurrencyKey, bool> keys{};

        void add(const WorkspaceId& line, bool is_second = false);
        void add(const ConcurrencyKey& key, bool is_second = false);
        bool empty() const { return lines.empty() && keys.empty(); }
    };

    void note(const Execution& execution) MILLRACE_REQUIRES(mutex_);
    void note(const ExecutionEnd& end) MILLRACE_REQUIRES(mutex_);
    void remember(const Execution& execution) MILLRACE_REQUIRES(mutex_);
    Instant next_at() const MILLRACE_REQUIRES(mutex_);
    bool is_due(Instant now) const MILLRACE_REQUIRES(mutex_);
    AdmitExecutions next_round(Instant now) MILLRACE_REQUIRES(mutex_);
    void end_round(Result<AdmittedExecutions> result);
    void learn(const AdmittedExecutions& round, Instant now) MILLRACE_REQUIRES(mutex_);
    void learn_failure(const Error& error, Instant now) MILLRACE_REQUIRES(mutex_);

    static constexpr Duration kPauseAfterFailure = std::chrono::seconds{1};
    static constexpr std::size_t kKeysKnownMax = 100'000;

    CommandQueue& commands_;
    DispatcherListener& listener_;
    const Clock& clock_;
    const Config config_;
    const Remote remote_;
    std::function<void()> wake_;

    mutable Mutex mutex_;
    Wakes wakes_ MILLRACE_GUARDED_BY(mutex_);      // For the next round,
    Wakes under_way_ MILLRACE_GUARDED_BY(mutex_);  // and of this one.
    bool is_under_way_ MILLRACE_GUARDED_BY(mutex_) = false;
    int rounds_open_ MILLRACE_GUARDED_BY(mutex_) = 0;  // Begun, and not handed on to the end.
    bool is_net_ MILLRACE_GUARDED_BY(mutex_) = false;  // The round under way looks everywhere.
    bool is_stopped_ MILLRACE_GUARDED_BY(mutex_) = false;
    bool has_more_ MILLRACE_GUARDED_BY(mutex_) = false;
    Instant began_at_ MILLRACE_GUARDED_BY(mutex_){};
    std::shared_ptr<RoundTrace> trace_ MILLRACE_GUARDED_BY(mutex_);  // Of the round under way.
    Instant net_at_ MILLRACE_GUARDED_BY(mutex_){};
    Instant resume_at_ MILLRACE_GUARDED_BY(mutex_){};  // After a failure: not before.
    // When their rates allow more.
    std::map<WorkspaceId, Instant> at_rate_ MILLRACE_GUARDED_BY(mutex_);
    // The concurrency keys of what runs here and was let in by this process: nothing else tells
    // whose place is free when it ends. The oldest are forgotten, and the net finds what waits.
    std::map<ExecutionKey, std::string> keys_let_in_ MILLRACE_GUARDED_BY(mutex_);
    WorkspaceId lines_after_ MILLRACE_GUARDED_BY(mutex_);  // How far the net has come.
    ConcurrencyKey keys_after_ MILLRACE_GUARDED_BY(mutex_);
    double mark_ MILLRACE_GUARDED_BY(mutex_) = 0;
    FullWorkspaces full_ MILLRACE_GUARDED_BY(mutex_);
    PoisonSearch poison_ MILLRACE_GUARDED_BY(mutex_);
};

}  // namespace millrace
