#include "queue/retry_execution.hpp"

#include "core/queue/transitions.hpp"
#include "queue/find_execution.hpp"

namespace millrace {

namespace {

// One whose instance retention has removed has nothing to go on with.
Status check_instance(const RetryExecution& command, const Execution& execution,
                      const WorkingSet& rows) {
    const bool is_known = command.instance_id && execution.instance_id == command.instance_id;
    if (!is_known) return ok();  // The admission will see.
    if (rows.find(InstanceKey{*command.instance_id, command.key.workspace_id})) return ok();
    return Error{ErrorCode::conflict,
                 "The instance of the execution was removed: retry it without resuming, which "
                 "makes a new execution."};
}

}  // namespace

Footprint footprint(const RetryExecution& command) {
    Footprint needed{.executions = {command.key}};
    const bool needs_instance = command.resumes && command.instance_id;
    if (needs_instance) needed.instances = {{*command.instance_id, command.key.workspace_id}};
    return needed;
}

Result<Decision<Execution>> decide(const RetryExecution& command, const WorkingSet& rows,
                                   Instant now) {
    Result<Execution> before = find_execution(rows, command.key);
    if (!before) return before.error();
    if (command.resumes) {
        Result<Execution> same = resumed(std::move(*before), now);
        if (!same) return same.error();
        if (const Status status = check_instance(command, *same, rows); !status) {
            return status.error();
        }
        if (command.not_before) same = put_off(std::move(*same), *command.not_before, now);
        return Decision<Execution>{.effects = {.executions = {*same}}, .answer = *same};
    }
    Result<Execution> retry = retry_of(*before, command.new_id, now);
    if (!retry) return retry.error();
    if (command.not_before) retry = put_off(std::move(*retry), *command.not_before, now);
    retry->requested_by = command.requested_by;
    retry->trace_parent = command.trace.is_present() ? trace_parent_text(command.trace) : "";
    before->retried_by = retry->key.id;
    return Decision<Execution>{
        .effects = {.executions_new = {{*retry, command.input}}, .executions = {*before}},
        .answer = *retry,
    };
}

AuditNote audit_note(const RetryExecution& command, const Execution& answer) {
    const std::string retried_by = command.resumes ? "" : to_string(answer.key.id.value);
    return {
        .kind = command.resumes ? AuditKind::execution_resumed : AuditKind::execution_retried,
        .subject = to_string(command.key.id.value),
        .details = {{"retriedBy", unless_empty(retried_by)}},
    };
}

}  // namespace millrace
