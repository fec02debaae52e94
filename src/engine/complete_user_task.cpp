#include "engine/complete_user_task.hpp"

#include <algorithm>

#include "engine/find_instance.hpp"
#include "engine/find_user_task.hpp"
#include "engine/run_event.hpp"

namespace millrace {

namespace {

// The open task of the step; empty when there is none.
std::optional<UserTaskKey> open_task(const Instance& instance, const std::string& step_id) {
    const auto& steps = instance.state.open_steps;
    const auto step = std::ranges::find(steps, step_id, &OpenStep::step_id);
    if (step == steps.end() || step->type != StepType::user_task) return std::nullopt;
    const StepExecutionId id{instance.key.id.value.with_sequence(step->sequence)};
    return UserTaskKey{user_task_of(id), instance.key.workspace_id};
}

}  // namespace

Footprint footprint(const CompleteUserTask& command) {
    return {.instances = {command.instance}};
}

Result<Decision<Instance>> decide(const CompleteUserTask& command, const WorkingSet& rows,
                                  Instant now) {
    Result<Instance> instance = find_instance(rows, command.instance);
    if (!instance) return instance.error();
    // Only who says who they are can be somebody else than the one who has the task.
    const auto task_key = open_task(*instance, command.step_id);
    if (task_key && !command.completed_by.empty()) {
        if (!rows.has_asked(*task_key)) {
            return Decision<Instance>{.missing = {.user_tasks = {*task_key}}};
        }
        if (const UserTask* task = rows.find(*task_key)) {
            if (auto error = somebody_elses(*task, command.completed_by)) return *error;
        }
    }
    const UserTaskCompleted event{
        .step_id = command.step_id,
        .variables = command.variables,
        .completed_by = command.completed_by.empty() ? command.key_name : command.completed_by,
    };
    return answer_with_instance(run_event(rows, std::move(*instance), event, now));
}

AuditNote audit_note(const CompleteUserTask& command, const Instance&) {
    return {
        .kind = AuditKind::user_task_completed,
        .instance_id = command.instance.id,
        .subject = command.step_id,
        .details = {{"completedBy", unless_empty(command.completed_by)},
                    {"variables", variable_names(command.variables)}},
    };
}

}  // namespace millrace
