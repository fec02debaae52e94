#include "queue/enqueue_execution.hpp"

#include "core/limits.hpp"
#include "core/queue/rank.hpp"
#include "queue/execution_rules.hpp"
#include "queue/find_execution.hpp"

namespace millrace {

namespace {

DefinitionKey definition_key(const EnqueueExecution& command) {
    return {
        .workspace_id = command.key.workspace_id,
        .id = command.definition_id,
        .version = command.definition_version,
    };
}

Error definition_not_found(const EnqueueExecution& command) {
    const std::string version = command.definition_version == 0
                                    ? ""
                                    : " version " + std::to_string(command.definition_version);
    return {ErrorCode::not_found,
            "definition \"" + command.definition_id + "\"" + version + " not found"};
}

Status check(const EnqueueExecution& command, Instant now) {
    std::vector<ErrorDetail> problems;
    if (command.priority < 0 || command.priority > kPriorityMax) {
        problems.push_back({"priority", "priority must be 0 to " + std::to_string(kPriorityMax)});
    }
    if (command.concurrency_key.size() > limits::kNameBytesMax) {
        problems.push_back({"concurrencyKey", "concurrencyKey must have at most " +
                                                  std::to_string(limits::kNameBytesMax) +
                                                  " bytes"});
    }
    if (command.input.text().size() > limits::kVariablesBytesMax) {
        return Error{
            ErrorCode::too_large,
            "input must have at most " + std::to_string(limits::kVariablesBytesMax) + " bytes"};
    }
    if (command.deadline && *command.deadline <= now) {
        problems.push_back({"deadline", "deadline must be in the future"});
    } else if (command.deadline && command.not_before && *command.deadline <= *command.not_before) {
        problems.push_back({"deadline", "deadline must be later than notBefore"});
    }
    if (problems.empty()) return ok();
    std::string first = problems.front().message;
    return Error{ErrorCode::invalid_argument, std::move(first), std::move(problems)};
}

}  // namespace

Footprint footprint(const EnqueueExecution& command) {
    return {.definitions = {definition_key(command)}, .workspaces = {command.key.workspace_id}};
}

Result<Decision<Execution>> decide(const EnqueueExecution& command, const WorkingSet& rows,
                                   Instant now) {
    if (rows.find_workspace(command.key.workspace_id) == nullptr) {
        return workspace_not_found(command.key.workspace_id);
    }
    const DefinitionRow* definition = rows.find(definition_key(command));
    if (definition == nullptr) return definition_not_found(command);
    if (const Status status = check(command, now); !status) return status.error();

    const bool is_later = command.not_before && *command.not_before > now;
    const ExecutorSpec& executor = executor_of(*definition->definition);
    Execution execution{
        .key = command.key,
        .definition = definition->ref,
        .place = is_later ? QueuePlace::due : QueuePlace::ready,
        .priority = command.priority,
        // Waiting counts from the time on at which it may start.
        .rank_at = rank_at(is_later ? *command.not_before : now, command.priority),
        .not_before = command.not_before,
        .deadline = command.deadline,
        .concurrency_key = command.concurrency_key,
        .requested_by = command.requested_by,
        .created_at = now,
        .executor = executor.kind,
        .target = executor.target,
    };
    if (is_later) execution.due_at = execution.next_attempt_at = command.not_before;
    if (command.trace.is_present()) execution.trace_parent = trace_parent_text(command.trace);
    return Decision<Execution>{
        .effects = {.executions_new = {{execution, command.input}}},
        .answer = execution,
    };
}

AuditNote audit_note(const EnqueueExecution&, const Execution& answer) {
    return {
        .kind = AuditKind::execution_enqueued,
        .subject = to_string(answer.key.id.value),
        .details = {{"definitionId", answer.definition.id},
                    {"definitionVersion", answer.definition.version}},
    };
}

}  // namespace millrace
