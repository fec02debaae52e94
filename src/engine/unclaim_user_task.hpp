#pragma once

#include <string>

#include "commit/command.hpp"

namespace millrace {

// Gives an open user task back, so that others may take it, and answers with it.
struct UnclaimUserTask {
    static constexpr std::string_view kName = "user_task.unclaim";

    UserTaskKey task{};
    std::string user_id{};  // Whoever has it, when empty.
};

Footprint footprint(const UnclaimUserTask& command);
Result<Decision<UserTask>> decide(const UnclaimUserTask& command, const WorkingSet& rows,
                                  Instant now);

}  // namespace millrace
