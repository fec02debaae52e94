#pragma once

#include "commit/command.hpp"
#include "engine/audit_note.hpp"
#include "queue/claimed_run.hpp"

namespace millrace {

// Takes over an execution whose owner's lease is over. Its slot stays with it; the new owner asks
// the executor first, then starts the same id again.
struct RecoverExecution {
    static constexpr std::string_view kName = "execution.recover";

    ExecutionKey key{};
    std::string owner{};  // Empty: whoever looks next.
    Duration lease{};
    DispatchRules rules{};
    // By hand: whatever its lease, when it was claimed before then.
    std::optional<Instant> claimed_before{};
};

struct RecoveredExecution {
    bool is_recovered = false;  // Or failed, because that happened too often.
    Execution execution{};      // As it is now; without a key when there is none.
    ClaimedRun run{};
};

Footprint footprint(const RecoverExecution& command);
Result<Decision<RecoveredExecution>> decide(const RecoverExecution& command, const WorkingSet& rows,
                                            Instant now);
// For recovery by hand.
AuditNote audit_note(const RecoverExecution& command, const RecoveredExecution& answer);

}  // namespace millrace
