#include "engine/claim_user_task.hpp"

#include "engine/find_user_task.hpp"

namespace millrace {

Footprint footprint(const ClaimUserTask& command) {
    return footprint_of_user_task(command.task);
}

Result<Decision<UserTask>> decide(const ClaimUserTask& command, const WorkingSet& rows,
                                  Instant now) {
    Result<UserTask> task = find_open_user_task(rows, command.task);
    if (!task) return task.error();
    if (auto error = somebody_elses(*task, command.user_id)) return *error;
    if (task->claimed_at) return Decision<UserTask>{.answer = *task};
    task->assignee = command.user_id;
    task->claimed_at = now;
    return Decision<UserTask>{.effects = {.user_tasks = {*task}}, .answer = *task};
}

}  // namespace millrace
