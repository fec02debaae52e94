#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/mutex.hpp"
#include "base/round.hpp"
#include "core/explain/explain_execution.hpp"
#include "queue/namespace_retentions.hpp"
#include "queue/remote_context.hpp"
#include "queue/run_starter.hpp"
#include "queue/run_watcher.hpp"

namespace millrace {

// Everything that a process does about executions that run elsewhere, from their claim to their
// end: starts them, finds out about starts whose outcome is unknown, learns how their runs end and
// passes cancellations on. What it knows besides the store is only a help: when it dies, others do
// the same after some leases.
//
// Passive: a thread of src/runtime, a test or the simulator calls run_once, one at a time; only
// that makes calls and reads. The other functions hand over and return, on any thread.
class RemoteRuns {
public:
    using Executors = std::map<std::string, RemoteExecutor*>;  // By target.

    // The executors outlive this. `wake` is called when run_once should be, on any thread.
    RemoteRuns(RunStarter::ReadExecution read_execution, CommandQueue& commands,
               const Executors& executors, RemoteRunsListener& listener, const Clock& clock,
               RemoteSettings settings, std::function<void()> wake);
    ~RemoteRuns();

    RemoteRuns(const RemoteRuns&) = delete;
    RemoteRuns& operator=(const RemoteRuns&) = delete;

    // Executions that this process has claimed. `over` is called when nothing more is done about
    // any of their starts; by run_once, or never when this ends before.
    void begin(std::vector<ClaimedExecution> claimed, std::function<void()> over = {});

    // An active execution that somebody has to look at, from QueueReader::unattended_executions.
    // `done` is called once, on any thread: false when it is worth trying again, a little later.
    void attend(const ExecutionKey& key, std::function<void(bool)> done);

    // Targets that nothing is to be claimed for until then, for AdmitExecutions.
    std::map<std::string, Instant> closed_targets() const;
    // The same, for people: which do not answer, and which have as much to start as they can take.
    TargetFacts target_facts() const;

    Round run_once();

    // No new calls. Claims that wait are let go of; what is under way is written down if it ends
    // while run_once is still called, and left to leases otherwise.
    void stop();

private:
    // Why a target is closed, as run_once has left it.
    struct Closed {
        std::optional<Instant> until{};
        Duration moment{};  // Without a time: so long from any time on.
        std::optional<Instant> unreachable_since{};
    };

    void take(const ExecutionKey& key, std::function<void(bool)> done);
    void taken(const TakenAttention& attention);
    void put_off(std::function<void(bool)> done);
    void release_put_off(Instant now);
    void show_closed(Instant now);

    RemoteContext context_;
    NamespaceRetentions retentions_;
    RunWatcher watcher_;
    RunStarter starter_;
    std::size_t recovered_ = 0;  // In this round.
    bool is_stopped_ = false;
    // Looks for which there is no room now, and until when.
    std::vector<std::function<void(bool)>> put_off_{};
    Instant put_off_until_{};

    mutable Mutex mutex_;
    std::map<std::string, Closed> closed_ MILLRACE_GUARDED_BY(mutex_);
};

}  // namespace millrace
