#include "engine/complete_user_task.hpp"

#include "engine/find_instance.hpp"
#include "engine/run_event.hpp"

namespace millrace {

Footprint footprint(const CompleteUserTask& command) {
    return {.instances = {command.instance}};
}

Result<Decision<Instance>> decide(const CompleteUserTask& command, const WorkingSet& rows,
                                  Instant now) {
    Result<Instance> instance = find_instance(rows, command.instance);
    if (!instance) return instance.error();
    const UserTaskCompleted event{command.step_id, command.variables, command.completed_by};
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
