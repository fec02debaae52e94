#pragma once

#include <string>

#include "base/json/value.hpp"
#include "commit/command.hpp"
#include "engine/audit_note.hpp"

namespace millrace {

// Completes one user task by its id, merges its variables, runs the instance on and answers with
// it. conflict when somebody else has taken the task, or it is over.
struct FinishUserTask {
    static constexpr std::string_view kName = "instance.complete_user_task";

    UserTaskKey task{};
    std::string user_id{};    // Empty when the caller does not say.
    json::Value variables{};  // An object, or null for none.
    std::string key_name{};   // Of the API key: who did it, where nobody else is named.
};

Footprint footprint(const FinishUserTask& command);
Result<Decision<Instance>> decide(const FinishUserTask& command, const WorkingSet& rows,
                                  Instant now);
AuditNote audit_note(const FinishUserTask& command, const Instance& answer);

}  // namespace millrace
