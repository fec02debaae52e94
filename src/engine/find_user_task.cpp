#include "engine/find_user_task.hpp"

namespace millrace {

Footprint footprint_of_user_task(const UserTaskKey& key) {
    return {.instances = {{instance_of(key.id), key.workspace_id}}, .user_tasks = {key}};
}

Result<UserTask> find_user_task(const WorkingSet& rows, const UserTaskKey& key) {
    if (const UserTask* task = rows.find(key)) return *task;
    return user_task_not_found(key);
}

Result<UserTask> find_open_user_task(const WorkingSet& rows, const UserTaskKey& key) {
    Result<UserTask> task = find_user_task(rows, key);
    if (!task || task->status == UserTaskState::open) return task;
    return Error{ErrorCode::conflict,
                 "the user task is over (" + std::string(to_string(task->status)) + ")"};
}

std::optional<Error> somebody_elses(const UserTask& task, const std::string& user_id) {
    if (user_id.empty() || task.assignee.empty() || task.assignee == user_id) return std::nullopt;
    return Error{ErrorCode::conflict, "the user task belongs to \"" + task.assignee + "\""};
}

Error user_task_not_found(const UserTaskKey& key) {
    return {ErrorCode::not_found, "user task \"" + to_string(key.id.value) + "\" not found"};
}

}  // namespace millrace
