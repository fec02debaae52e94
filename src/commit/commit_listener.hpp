#pragma once

#include <chrono>
#include <cstddef>
#include <string_view>

#include "store/effects.hpp"

namespace millrace {

// How a transaction ended, as far as is known then.
enum class BatchOutcome { committed, aborted, unknown };

// Who wants to know what was committed, after the fact: wake-ups for timers and leases, metrics.
// Called on committers' threads, without locks held: hand over and return.
class CommitListener {
public:
    virtual ~CommitListener() = default;

    virtual void on_commit(const Writes& writes) = 0;

    // Nobody could tell whether these were committed, and nobody will: whoever waits for such rows
    // had better look. By default nobody does.
    virtual void on_doubt(const Writes&) {}

    // A transaction has ended. One that is unknown at first is told of again when it is known.
    virtual void on_outcome(BatchOutcome) {}

    // One transaction is over, committed or not.
    virtual void on_batch(std::size_t command_count, Duration load_duration,
                          Duration total_duration) = 0;

    // One command has its answer, `waited` after it was taken.
    virtual void on_command(std::string_view name, Duration waited) = 0;
};

}  // namespace millrace
