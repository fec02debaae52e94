#pragma once

#include <optional>
#include <string>

#include "store/working_set.hpp"

namespace millrace {

// The rows that a command on one user task needs: with the instance, although most change only the
// task, so that no two batches can wait for each other.
Footprint footprint_of_user_task(const UserTaskKey& key);

// not_found when there is no such task.
Result<UserTask> find_user_task(const WorkingSet& rows, const UserTaskKey& key);

// The same, and conflict when it is over.
Result<UserTask> find_open_user_task(const WorkingSet& rows, const UserTaskKey& key);

// conflict when somebody else has the task. Whoever does not say who they are is not asked.
std::optional<Error> somebody_elses(const UserTask& task, const std::string& user_id);

Error user_task_not_found(const UserTaskKey& key);

}  // namespace millrace
