#pragma once

#include "base/result.hpp"
#include "store/effects.hpp"
#include "store/footprint.hpp"
#include "store/working_set.hpp"

namespace millrace {

enum class CommitOutcome { committed, aborted };

// One connection to the place where state survives a crash, for batches of commands.
// Implementations: memory, sqlite, postgres; tests/store_conformance is the definition of this
// interface. A store knows rows; it knows no rule. Calls block; a connection belongs to one thread
// at a time, and connects by itself, again after a failure.
//
// Every function may fail with unavailable: nothing was written, the batch is over, try again;
// Error::why says how.
// internal: we have a bug, or a row without a key of its own is corrupt; trying again will not
// help. Other rows that cannot be read are told apart in LoadedRows::unreadable.
class BatchStore {
public:
    virtual ~BatchStore() = default;

    // Begins a batch: locks the instances and jobs of the footprint, the names of its uploads and
    // its idempotency keys, sorted by id, until the batch ends, and reads all its rows, or as many
    // as its bound allows: LoadedRows::left_out names the others. An apply or an abandon follows a
    // successful load, even with nothing to write. The footprint is normalised.
    virtual Result<LoadedRows> load(const Footprint& footprint) = 0;

    // Outside of a batch: which of the instances, jobs, user tasks, executions and idempotency keys
    // of a footprint are locked by somebody else at this moment, as Footprint::holds names them. It
    // waits for nobody, and it is a hint: a moment later all may be different.
    virtual Result<std::vector<Id128>> locked_elsewhere(const Footprint&) {
        return std::vector<Id128>{};
    }

    // Reads more rows inside the batch that load began. Only what nobody else waits for may be
    // asked for: step executions and definitions, which are not locked, and jobs and user tasks of
    // instances that the batch holds, which nobody else touches but claims, and those wait for
    // nobody.
    virtual Result<LoadedRows> extend(const Footprint& footprint) = 0;

    // Writes, commits and ends the batch: all of it or, on an error, nothing.
    // data_refused: these values can never be stored; which of them is for the caller to find out.
    // commit_unknown: the connection died during COMMIT; resolve() before doing anything else.
    virtual Status apply(const Writes& writes) = 0;

    // Ends the batch without a trace.
    virtual void abandon() = 0;

    // Tells what became of the batch whose apply ended with commit_unknown. Never guesses: while
    // nobody can tell, the answer is unavailable, and the question may be put again.
    virtual Result<CommitOutcome> resolve() = 0;
};

}  // namespace millrace
