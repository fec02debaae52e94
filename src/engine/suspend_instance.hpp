#pragma once

#include <string>

#include "commit/command.hpp"
#include "engine/audit_note.hpp"

namespace millrace {

// Stops an instance until it is resumed: none of its waiting jobs is handed out, no timer fires,
// nothing new begins. A worker that holds a job may finish it. Answers with the instance; one that
// is suspended already stays as it is.
struct SuspendInstance {
    static constexpr std::string_view kName = "instance.suspend";

    InstanceKey instance{};
    std::string reason{};  // For the audit.
};

Footprint footprint(const SuspendInstance& command);
Result<Decision<Instance>> decide(const SuspendInstance& command, const WorkingSet& rows,
                                  Instant now);
AuditNote audit_note(const SuspendInstance& command, const Instance& answer);

}  // namespace millrace
