#pragma once

#include <string>

#include "commit/command.hpp"

namespace millrace {

// Gives an open user task to somebody, whoever had it, and answers with it.
struct AssignUserTask {
    static constexpr std::string_view kName = "user_task.assign";

    UserTaskKey task{};
    std::string assignee{};
};

Footprint footprint(const AssignUserTask& command);
Result<Decision<UserTask>> decide(const AssignUserTask& command, const WorkingSet& rows,
                                  Instant now);

}  // namespace millrace
