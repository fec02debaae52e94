#include "queue/redrive_execution.hpp"

#include "core/queue/transitions.hpp"
#include "queue/find_execution.hpp"

namespace millrace {

Footprint footprint(const RedriveExecution& command) {
    return {.executions = {command.key}};
}

Result<Decision<Execution>> decide(const RedriveExecution& command, const WorkingSet& rows,
                                   Instant now) {
    Result<Execution> execution = find_execution(rows, command.key);
    if (!execution) return execution.error();
    Result<Execution> again = redriven(std::move(*execution), now);
    if (!again) return again.error();
    if (command.not_before) again = put_off(std::move(*again), *command.not_before, now);
    return Decision<Execution>{.effects = {.executions = {*again}}, .answer = *again};
}

AuditNote audit_note(const RedriveExecution&, const Execution& answer) {
    return {.kind = AuditKind::execution_redriven, .subject = to_string(answer.key.id.value)};
}

}  // namespace millrace
