#include "queue/recover_execution.hpp"

namespace millrace {

Footprint footprint(const RecoverExecution& command) {
    return {.executions = {command.key}, .workspaces = {command.key.workspace_id}};
}

Result<Decision<RecoveredExecution>> decide(const RecoverExecution& command, const WorkingSet& rows,
                                            Instant now) {
    Decision<RecoveredExecution> decision;
    const Execution* found = rows.find(command.key);
    if (found == nullptr) return decision;
    decision.answer.execution = *found;

    Execution execution = *found;
    const bool is_stale = command.claimed_before && execution.claimed_at < command.claimed_before;
    if (is_stale) execution.due_at = now;
    std::optional<Execution> mine =
        recovered(std::move(execution), command.owner, now + command.lease, command.rules, now);
    if (!mine) return decision;

    decision.missing = missing_for_run(rows, *mine);
    if (!decision.missing.empty()) return decision;
    decision.answer = {true, *mine, run_of(rows, *mine, command.rules)};
    decision.effects.executions.push_back(std::move(*mine));
    return decision;
}

AuditNote audit_note(const RecoverExecution&, const RecoveredExecution& answer) {
    return {
        .kind = AuditKind::execution_recovered,
        .subject = to_string(answer.execution.key.id.value),
        .details = {{"status", std::string(to_string(answer.execution.queue_status))}},
    };
}

}  // namespace millrace
