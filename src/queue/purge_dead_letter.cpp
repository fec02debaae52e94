#include "queue/purge_dead_letter.hpp"

#include "core/queue/transitions.hpp"
#include "queue/find_execution.hpp"

namespace millrace {

Footprint footprint(const PurgeDeadLetter& command) {
    return {.executions = {command.key}};
}

Result<Decision<Execution>> decide(const PurgeDeadLetter& command, const WorkingSet& rows,
                                   Instant) {
    Result<Execution> execution = find_execution(rows, command.key);
    if (!execution) return execution.error();
    if (!is_dead_letter(*execution)) {
        return Error{ErrorCode::conflict, "Expected a dead letter to purge, but the execution is " +
                                              std::string(to_string(execution->queue_status)) +
                                              ", or was dismissed or retried."};
    }
    return Decision<Execution>{.effects = {.executions_removed = {command.key}},
                               .answer = std::move(*execution)};
}

AuditNote audit_note(const PurgeDeadLetter&, const Execution& answer) {
    return {
        .kind = AuditKind::execution_purged,
        .subject = to_string(answer.key.id.value),
        .details = {{"definitionId", answer.definition.id},
                    {"reason", unless_empty(answer.error_reason)}},
    };
}

}  // namespace millrace
