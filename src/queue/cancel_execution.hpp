#pragma once

#include "commit/command.hpp"
#include "engine/audit_note.hpp"

namespace millrace {

// Cancels an execution that is not over: at once when it waits or runs here; one that runs
// elsewhere is asked to stop, or ended when `is_forced`, and follows what its executor says.
struct CancelExecution {
    static constexpr std::string_view kName = "execution.cancel";

    ExecutionKey key{};
    bool is_forced = false;
    std::string reason{};
    // Which of its instances runs, when the chain has gone on: see the answer.
    std::optional<InstanceId> instance_id{};
};

struct CancelledExecution {
    Execution execution{};
    // Set: nothing was done, because this instance has to be locked too. Ask again with it.
    std::optional<InstanceId> instance_needed{};
};

Footprint footprint(const CancelExecution& command);
Result<Decision<CancelledExecution>> decide(const CancelExecution& command, const WorkingSet& rows,
                                            Instant now);
AuditNote audit_note(const CancelExecution& command, const CancelledExecution& answer);

}  // namespace millrace
