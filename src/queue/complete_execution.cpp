#include "queue/complete_execution.hpp"

#include <algorithm>
#include <array>

#include "core/bounded_message.hpp"
#include "core/limits.hpp"
#include "core/queue/transitions.hpp"
#include "queue/find_execution.hpp"

namespace millrace {

namespace {

constexpr std::array kReasons{failure::kWorkflowFailed, failure::kTimedOut, failure::kTerminated,
                              failure::kRunNotFound};

Status check(const CompleteExecution& command) {
    if (is_open(command.end)) {
        return Error{ErrorCode::invalid_argument,
                     "status must be COMPLETED, FAILED or CANCELLED",
                     {{"status", "status must be COMPLETED, FAILED or CANCELLED"}}};
    }
    const bool is_known =
        command.reason.empty() || std::ranges::find(kReasons, command.reason) != kReasons.end();
    if (command.end == QueueStatus::failed && !is_known) {
        return Error{ErrorCode::invalid_argument,
                     "reason must be WORKFLOW_FAILED, TIMED_OUT or TERMINATED",
                     {{"error.reason", "reason must be WORKFLOW_FAILED, TIMED_OUT or TERMINATED"}}};
    }
    if (command.result.size() > limits::kVariablesBytesMax) {
        return Error{
            ErrorCode::too_large,
            "result must have at most " + std::to_string(limits::kVariablesBytesMax) + " bytes"};
    }
    return ok();
}

ExecutionEnd end_of(const CompleteExecution& command, const Execution& execution, Instant now) {
    ExecutionEnd end{
        .key = command.key,
        .queue_status = command.end,
        .message = bounded_message(command.message),
        .at = now,
    };
    if (end.queue_status != QueueStatus::failed) return end;
    const bool is_wanted =
        command.reason == failure::kTerminated && execution.cancel_requested_at.has_value();
    if (is_wanted) {
        end.queue_status = QueueStatus::cancelled;
    } else {
        end.reason = command.reason.empty() ? failure::kWorkflowFailed : command.reason;
    }
    return end;
}

}  // namespace

Footprint footprint(const CompleteExecution& command) {
    return {.executions = {command.key}};
}

Result<Decision<Execution>> decide(const CompleteExecution& command, const WorkingSet& rows,
                                   Instant now) {
    if (const Status status = check(command); !status) return status.error();
    Result<Execution> execution = find_execution(rows, command.key);
    if (!execution) return execution.error();
    if (execution->executor == ExecutorKind::native) {
        return Error{ErrorCode::conflict,
                     "The execution runs here: it ends with its instance, nobody reports it."};
    }
    const ExecutionEnd end = end_of(command, *execution, now);
    if (!is_open(execution->queue_status)) {
        if (execution->queue_status == end.queue_status) return Decision<Execution>{{}, *execution};
        return Error{ErrorCode::conflict, "Expected an execution that is open, but it is " +
                                              std::string(to_string(execution->queue_status)) +
                                              "."};
    }
    std::optional<Execution> over = ended(std::move(*execution), end);
    if (!command.run_id.empty()) over->run_id = command.run_id;
    Decision<Execution> decision{.effects = {.executions = {*over}}, .answer = *over};
    if (end.queue_status == QueueStatus::completed && !command.result.empty()) {
        decision.effects.execution_results.push_back({command.key, command.result});
    }
    return decision;
}

AuditNote audit_note(const CompleteExecution&, const Execution& answer) {
    return {
        .kind = AuditKind::execution_reported,
        .subject = to_string(answer.key.id.value),
        .details = {{"status", std::string(to_string(answer.queue_status))},
                    {"reason", unless_empty(answer.error_reason)}},
    };
}

}  // namespace millrace
