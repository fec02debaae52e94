#include "queue/cancel_execution.hpp"

#include "core/queue/transitions.hpp"
#include "engine/run_event.hpp"
#include "queue/find_execution.hpp"

namespace millrace {

namespace {

using Cancelled = Decision<CancelledExecution>;

InstanceKey instance_in_hand(const CancelExecution& command) {
    InstanceKey key = first_instance_of(command.key);
    if (command.instance_id) key.id = *command.instance_id;
    return key;
}

Cancelled put(Execution execution) {
    return {.effects = {.executions = {execution}}, .answer = {std::move(execution)}};
}

// Its end comes from the instance, in the same transaction.
Result<Cancelled> cancel_here(const CancelExecution& command, Execution execution,
                              const WorkingSet& rows, Instant now) {
    const InstanceKey key = instance_in_hand(command);
    if (execution.instance_id && *execution.instance_id != key.id) {
        const InstanceId needed = *execution.instance_id;
        return Cancelled{.answer = {std::move(execution), needed}};
    }
    const Instance* instance = rows.find(key);
    const bool is_running = instance != nullptr && !is_terminal(instance->status);
    // A slot that nothing would give back: its instance was removed behind its back.
    if (!is_running) return put(cancelled(std::move(execution), command.reason, now));

    Result<Ran> ran = run_event(rows, *instance, CancelRequested{command.reason}, now);
    if (!ran) return ran.error();
    Cancelled decision{.missing = std::move(ran->missing)};
    if (!decision.missing.empty()) return decision;
    decision.effects = std::move(ran->effects);
    execution.cancel_requested_at = now;
    for (const ExecutionEnd& end : decision.effects.executions_ended) {
        execution = ended(execution, end).value_or(execution);
    }
    decision.answer.execution = execution;
    decision.effects.executions_ended.clear();
    decision.effects.executions.push_back(std::move(execution));
    return decision;
}

}  // namespace

Footprint footprint(const CancelExecution& command) {
    return {.instances = {instance_in_hand(command)}, .executions = {command.key}};
}

Result<Decision<CancelledExecution>> decide(const CancelExecution& command, const WorkingSet& rows,
                                            Instant now) {
    Result<Execution> execution = find_execution(rows, command.key);
    if (!execution) return execution.error();
    switch (execution->queue_status) {
        case QueueStatus::pending:
            return put(cancelled(std::move(*execution), command.reason, now));
        case QueueStatus::cancelled: return Cancelled{.answer = {std::move(*execution)}};
        case QueueStatus::completed:
        case QueueStatus::failed:
            return Error{ErrorCode::conflict, "the execution is " +
                                                  std::string(to_string(execution->queue_status)) +
                                                  " and can no longer be cancelled"};
        case QueueStatus::claimed:
        case QueueStatus::dispatched: break;
    }
    if (execution->executor == ExecutorKind::native) {
        return cancel_here(command, std::move(*execution), rows, now);
    }
    Execution wanted = cancel_requested(*execution, command.is_forced, now);
    if (wanted == *execution) return Cancelled{.answer = {std::move(wanted)}};
    return put(std::move(wanted));
}

AuditNote audit_note(const CancelExecution& command, const CancelledExecution& answer) {
    return {
        .kind = AuditKind::execution_cancelled,
        .subject = to_string(answer.execution.key.id.value),
        .details = {{"reason", unless_empty(command.reason)},
                    {"force", command.is_forced ? json::Value(true) : json::Value()}},
    };
}

}  // namespace millrace
