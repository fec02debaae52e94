#include "engine/retry_instance.hpp"

#include "core/queue/transitions.hpp"
#include "engine/find_instance.hpp"
#include "engine/run_event.hpp"

namespace millrace {

namespace {

// The first instance of an execution has its id.
ExecutionKey execution_in_hand(const RetryInstance& command) {
    return {command.execution_id.value_or(execution_of(command.instance.id)),
            command.instance.workspace_id};
}

Error not_failed(InstanceStatus status) {
    return {ErrorCode::conflict,
            "only a FAILED instance can be retried, this one is " + std::string(to_string(status))};
}

Result<Decision<RetriedInstance>> resume(const RetryInstance& command, Instance instance,
                                         const WorkingSet& rows, Instant now) {
    const ExecutionKey key = execution_in_hand(command);
    if (*instance.execution_id != key.id) {
        const ExecutionId needed = *instance.execution_id;
        return Decision<RetriedInstance>{.answer = {std::move(instance), needed}};
    }
    if (instance.status != InstanceStatus::failed) return not_failed(instance.status);
    const Execution* execution = rows.find(key);
    if (execution == nullptr) {
        return Error{ErrorCode::conflict,
                     "The execution that the instance belongs to was removed: it cannot go on."};
    }
    if (execution->instance_id != instance.key.id) {
        return Error{ErrorCode::conflict, "The execution of the instance runs another one."};
    }
    Result<Execution> waiting = resumed(*execution, now);
    if (!waiting) return waiting.error();
    return Decision<RetriedInstance>{
        .effects = {.executions = {std::move(*waiting)}},
        .answer = {std::move(instance)},
    };
}

}  // namespace

Footprint footprint(const RetryInstance& command) {
    return {.instances = {command.instance}, .executions = {execution_in_hand(command)}};
}

Result<Decision<RetriedInstance>> decide(const RetryInstance& command, const WorkingSet& rows,
                                         Instant now) {
    Result<Instance> instance = find_instance(rows, command.instance);
    if (!instance) return instance.error();
    if (instance->execution_id) return resume(command, std::move(*instance), rows, now);
    Result<Ran> ran = run_event(rows, std::move(*instance), RetryRequested{}, now);
    if (!ran) return ran.error();
    Decision<RetriedInstance> decision{.missing = std::move(ran->missing)};
    if (!decision.missing.empty()) return decision;
    decision.answer.instance = ran->instance();
    decision.effects = std::move(ran->effects);
    return decision;
}

AuditNote audit_note(const RetryInstance& command, const RetriedInstance&) {
    return {.kind = AuditKind::instance_retried, .instance_id = command.instance.id};
}

}  // namespace millrace
