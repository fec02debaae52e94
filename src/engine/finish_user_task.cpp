#include "engine/finish_user_task.hpp"

#include "engine/find_instance.hpp"
#include "engine/find_user_task.hpp"
#include "engine/run_event.hpp"

namespace millrace {

Footprint footprint(const FinishUserTask& command) {
    return footprint_of_user_task(command.task);
}

Result<Decision<Instance>> decide(const FinishUserTask& command, const WorkingSet& rows,
                                  Instant now) {
    const Result<UserTask> task = find_open_user_task(rows, command.task);
    if (!task) return task.error();
    if (auto error = somebody_elses(*task, command.user_id)) return *error;
    Result<Instance> instance =
        find_instance(rows, {instance_of(command.task.id), command.task.workspace_id});
    if (!instance) return instance.error();
    const UserTaskCompleted event{
        .step_id = task->step_id,
        .variables = command.variables,
        .completed_by = command.user_id.empty() ? command.key_name : command.user_id,
        .sequence = step_execution_of(command.task.id).value.sequence(),
    };
    return answer_with_instance(run_event(rows, std::move(*instance), event, now));
}

AuditNote audit_note(const FinishUserTask& command, const Instance&) {
    return {
        .kind = AuditKind::user_task_completed,
        .instance_id = instance_of(command.task.id),
        .subject = to_string(command.task.id.value),
        .details = {{"completedBy", unless_empty(command.user_id)},
                    {"variables", variable_names(command.variables)}},
    };
}

}  // namespace millrace
