#pragma once

#include "base/json/value.hpp"
#include "store/reader.hpp"

namespace millrace {

// A user task with all that a person needs to do it.
struct UserTaskView {
    UserTask task{};
    json::Value form{};  // Null when its step has none.
    Variables variables{};
};

// not_found when there is no such task.
struct GetUserTask {
    UserTaskKey task{};
};

Result<UserTaskView> read(const GetUserTask& query, Reader& reader);

}  // namespace millrace
