#pragma once

#include <chrono>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include "commit/command_queue.hpp"
#include "store/effects.hpp"

namespace millrace {

// How a transaction ended, as far as is known then.
enum class BatchOutcome { committed, aborted, unknown };

// A batch whose commands are about to be answered. The times are those of its last try.
struct BatchEnd {
    std::span<const Ticket> tickets{};
    const Status& status;  // Of the batch; each ticket has the verdict on its command.
    const Writes& writes;  // What was committed, if it was.
    Instant began_at{};
    Instant decided_at{};  // When its rows were loaded and locked.
    Instant ended_at{};
    int tries = 1;
};

// Who wants to know what was committed, after the fact: wake-ups for timers and leases, metrics.
// Called on committers' threads, without locks held: hand over and return.
class CommitListener {
public:
    virtual ~CommitListener() = default;

    virtual void on_commit(const Writes& writes) = 0;

    // Nobody could tell whether these were committed, and nobody will: whoever waits for such rows
    // had better look. By default nobody does.
    virtual void on_doubt(const Writes&) {}

    // Stored rows that a batch needed cannot be read: a sentence about each. By default nobody
    // listens; the commands that needed them are refused in any case.
    virtual void on_unreadable_rows(std::span<const std::string>) {}

    // A transaction has ended. One that is unknown at first is told of again when it is known.
    virtual void on_outcome(BatchOutcome) {}

    // One transaction is over, committed or not.
    virtual void on_batch(std::size_t command_count, Duration load_duration,
                          Duration total_duration) = 0;

    // A batch has waited so long for rows and has not got them.
    virtual void on_lock_timeout(Duration) {}

    // Called once for each batch, after the tries of it. By default nobody listens.
    virtual void on_batch_end(const BatchEnd&) {}

    // One command has its answer, `waited` after it was taken.
    virtual void on_command(std::string_view name, Duration waited) = 0;
};

}  // namespace millrace
