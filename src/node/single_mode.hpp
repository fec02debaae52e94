#pragma once

#include <memory>
#include <string>

#include "node/loop_set.hpp"
#include "node/node_context.hpp"
#include "node/queue_listener.hpp"
#include "node/queue_listeners.hpp"
#include "queue/batch_dispatcher.hpp"
#include "queue/locked_rounds.hpp"
#include "queue/remote_runs.hpp"
#include "queue/stale_recovery.hpp"
#include "runtime/loop_runner.hpp"

namespace millrace {

// dispatcher.mode single: one server at a time lets executions in, in rounds, and one takes over
// stale claims, beside it. A part of QueueNode.
class SingleMode {
public:
    struct Options {
        std::string lock_table = "shedlock";
        std::string holder{};  // Nobody else has that name.
        BatchDispatcher::Config batch{};
        Duration poll_interval = std::chrono::seconds{5};  // After the end of a round.
        Duration recover_interval = std::chrono::seconds{60};
        // Replicas that start together should not come together.
        Duration first_after{};
        // Who else wants to hear of batches and locks. They outlive this.
        std::vector<BatchListener*> batch_listeners{};
        std::vector<LockListener*> lock_listeners{};
    };

    // Adds its loops to `loops`.
    SingleMode(const NodeContext& context, CommandQueue& commands, LoopSet& loops,
               QueueListener& listener, RemoteRuns& remote, Options options);

    void stop(runtime::LoopRunner& runner);
    bool is_busy() const { return dispatcher_.is_busy(); }
    // When nothing of a round is under way any more; after stop.
    void give_up_locks();

private:
    BatchListeners batch_listeners_;
    LockListeners lock_listeners_;
    runtime::Loop& dispatch_loop_;
    runtime::Loop& recovery_loop_;
    // One for each loop.
    std::unique_ptr<LockTable> dispatch_locks_;
    std::unique_ptr<LockTable> recovery_locks_;
    std::unique_ptr<Reader> reader_;
    BatchDispatcher dispatcher_;
    StaleRecovery recovery_;
    LockedRounds dispatch_rounds_;
    LockedRounds recovery_rounds_;
};

}  // namespace millrace
