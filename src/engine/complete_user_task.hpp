#pragma once

#include <string>

#include "base/json/value.hpp"
#include "commit/command.hpp"
#include "engine/audit_note.hpp"

namespace millrace {

// Completes the open user task of a step, merges its variables, runs the instance on and answers
// with it.
struct CompleteUserTask {
    static constexpr std::string_view kName = "instance.complete_user_task";

    InstanceKey instance{};
    std::string step_id{};
    json::Value variables{};     // An object, or null for none.
    std::string completed_by{};  // Empty when the caller does not say.
    std::string key_name{};      // Of the API key: who did it, where nobody else is named.
};

Footprint footprint(const CompleteUserTask& command);
Result<Decision<Instance>> decide(const CompleteUserTask& command, const WorkingSet& rows,
                                  Instant now);
AuditNote audit_note(const CompleteUserTask& command, const Instance& instance);

}  // namespace millrace
