#pragma once

#include <functional>
#include <memory>
#include <string>

#include "queue/batch_dispatcher.hpp"
#include "queue/locked_rounds.hpp"
#include "queue/remote_runs.hpp"
#include "queue/stale_recovery.hpp"
#include "runtime/loop_thread.hpp"
#include "server/loop_health.hpp"
#include "server/queue_listener.hpp"
#include "store/database.hpp"

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
    };

    using NewHealth = std::function<LoopHealth&(std::string loop)>;

    SingleMode(Database& database, CommandQueue& commands, QueueListener& listener,
               const Clock& clock, RemoteRuns& remote, Options options,
               const NewHealth& new_health);

    void start();
    void stop();
    // When nothing of a round is under way any more; after stop.
    void give_up_locks();

private:
    using Next = runtime::LoopThread::Next;

    Next run(LockedRounds& rounds, LoopHealth& health) const;

    const Clock& clock_;
    // One for each thread.
    std::unique_ptr<LockTable> dispatch_locks_;
    std::unique_ptr<LockTable> recovery_locks_;
    std::unique_ptr<Reader> reader_;
    BatchDispatcher dispatcher_;
    StaleRecovery recovery_;
    LockedRounds dispatch_rounds_;
    LockedRounds recovery_rounds_;
    // Last: they end before what they use.
    runtime::LoopThread dispatch_thread_;
    runtime::LoopThread recovery_thread_;
};

}  // namespace millrace
