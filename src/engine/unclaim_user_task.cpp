#include "engine/unclaim_user_task.hpp"

#include "engine/find_user_task.hpp"

namespace millrace {

Footprint footprint(const UnclaimUserTask& command) {
    return footprint_of_user_task(command.task);
}

Result<Decision<UserTask>> decide(const UnclaimUserTask& command, const WorkingSet& rows, Instant) {
    Result<UserTask> task = find_open_user_task(rows, command.task);
    if (!task) return task.error();
    if (task->assignee.empty()) return Decision<UserTask>{.answer = *task};
    if (auto error = somebody_elses(*task, command.user_id)) return *error;
    task->assignee.clear();
    task->claimed_at.reset();
    return Decision<UserTask>{.effects = {.user_tasks = {*task}}, .answer = *task};
}

}  // namespace millrace
