#include "engine/assign_user_task.hpp"

#include "engine/find_user_task.hpp"

namespace millrace {

Footprint footprint(const AssignUserTask& command) {
    return footprint_of_user_task(command.task);
}

Result<Decision<UserTask>> decide(const AssignUserTask& command, const WorkingSet& rows,
                                  Instant now) {
    Result<UserTask> task = find_open_user_task(rows, command.task);
    if (!task) return task.error();
    if (task->assignee == command.assignee) return Decision<UserTask>{.answer = *task};
    task->assignee = command.assignee;
    task->claimed_at = now;
    return Decision<UserTask>{.effects = {.user_tasks = {*task}}, .answer = *task};
}

}  // namespace millrace
