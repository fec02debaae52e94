#pragma once

#include <string>

#include "commit/command.hpp"

namespace millrace {

// Takes an open user task that nobody else has, and answers with it. Taking it twice is fine.
struct ClaimUserTask {
    static constexpr std::string_view kName = "user_task.claim";

    UserTaskKey task{};
    std::string user_id{};
};

Footprint footprint(const ClaimUserTask& command);
Result<Decision<UserTask>> decide(const ClaimUserTask& command, const WorkingSet& rows,
                                  Instant now);

}  // namespace millrace
