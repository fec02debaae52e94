#include "queue/dismiss_dead_letter.hpp"

#include "queue/find_execution.hpp"

namespace millrace {

Footprint footprint(const DismissDeadLetter& command) {
    return {.executions = {command.key}};
}

Result<Decision<Execution>> decide(const DismissDeadLetter& command, const WorkingSet& rows,
                                   Instant now) {
    Result<Execution> execution = find_execution(rows, command.key);
    if (!execution) return execution.error();
    if (execution->queue_status != QueueStatus::failed) {
        return Error{ErrorCode::conflict, "Expected a FAILED execution to dismiss, but it is " +
                                              std::string(to_string(execution->queue_status)) +
                                              "."};
    }
    if (execution->dismissed_at) return Decision<Execution>{{}, std::move(*execution)};
    execution->dismissed_at = now;
    return Decision<Execution>{.effects = {.executions = {*execution}}, .answer = *execution};
}

AuditNote audit_note(const DismissDeadLetter&, const Execution& answer) {
    return {.kind = AuditKind::execution_dismissed, .subject = to_string(answer.key.id.value)};
}

}  // namespace millrace
