#pragma once

#include "commit/command.hpp"
#include "engine/audit_note.hpp"

namespace millrace {

// The run of an execution is over elsewhere: reported by a worker, or observed. Needs no claim, and
// may come before its start is written down. A report that says the same again is answered the
// same; another one is a conflict, and so is one about an execution that runs here.
struct CompleteExecution {
    static constexpr std::string_view kName = "execution.complete";

    ExecutionKey key{};
    QueueStatus end = QueueStatus::completed;  // completed, failed or cancelled.
    // Of a failed one: WORKFLOW_FAILED (when empty), TIMED_OUT or TERMINATED. A run that was
    // terminated counts as cancelled when we had asked for that.
    std::string reason{};
    std::string message{};
    std::string result{};  // Of a completed one: JSON text; empty for none.
    std::string run_id{};  // Empty when the caller does not know.
};

Footprint footprint(const CompleteExecution& command);
Result<Decision<Execution>> decide(const CompleteExecution& command, const WorkingSet& rows,
                                   Instant now);
AuditNote audit_note(const CompleteExecution& command, const Execution& answer);

}  // namespace millrace
