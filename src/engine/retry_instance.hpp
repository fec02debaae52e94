#pragma once

#include "commit/command.hpp"
#include "engine/audit_note.hpp"

namespace millrace {

// Lets a FAILED instance go on: the step that failed is entered again with all its tries, and so
// are its siblings that the failure has stopped.
//
// One that belongs to an execution of the queue has no slot any more: its execution stands in line
// again, and the instance goes on once that is let in.
struct RetryInstance {
    static constexpr std::string_view kName = "instance.retry";

    InstanceKey instance{};
    // Of an instance that others were chained before: see the answer.
    std::optional<ExecutionId> execution_id{};
};

struct RetriedInstance {
    Instance instance{};  // FAILED still when it waits to be let in.
    // Set: nothing was done, because this execution has to be locked too. Ask again with it.
    std::optional<ExecutionId> execution_needed{};
};

Footprint footprint(const RetryInstance& command);
Result<Decision<RetriedInstance>> decide(const RetryInstance& command, const WorkingSet& rows,
                                         Instant now);
AuditNote audit_note(const RetryInstance& command, const RetriedInstance& answer);

}  // namespace millrace
