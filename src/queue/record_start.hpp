#pragma once

#include "commit/command.hpp"
#include "core/queue/transitions.hpp"
#include "executor/remote_executor.hpp"

namespace millrace {

// Writes down what a remote executor has answered to a start, for the owner of the claim.
struct RecordStart {
    static constexpr std::string_view kName = "execution.record_start";

    ExecutionKey key{};
    std::int64_t token = 0;
    StartAnswer answer{};
    DispatchRules rules{};              // Of this execution: see rules_for.
    std::optional<Instant> retry_at{};  // Unreachable: not before, when the breaker says so.
    Duration look_after{};              // Started: when its run is to be asked about.
    // How long the executor remembers a run that is over; absent when it could not be asked. A
    // start whose outcome is unknown is not tried again beyond that.
    std::optional<Duration> retention{};
    // The item as it was claimed: should its record be gone (a restored backup) while the claim
    // holds, it gets a new one.
    std::optional<NewExecution> claimed{};
};

enum class StartRecord {
    dispatched,
    released,  // Back to PENDING, after an error or because the executor is not there.
    in_doubt,  // Still CLAIMED.
    failed,
    cancelled,  // Somebody wanted that meanwhile, and nothing had been started.
    lost,       // The claim was not ours any more: nothing was changed.
};

struct RecordedStart {
    StartRecord record = StartRecord::lost;
    Execution execution{};     // As it is now; without a key when there is none.
    bool was_missing = false;  // There was no record: this one is new.
};

Footprint footprint(const RecordStart& command);
Result<Decision<RecordedStart>> decide(const RecordStart& command, const WorkingSet& rows,
                                       Instant now);

}  // namespace millrace
