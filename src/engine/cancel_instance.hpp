#pragma once

#include <string>

#include "commit/command.hpp"
#include "engine/audit_note.hpp"

namespace millrace {

// Ends an instance that is not over, with all its jobs, tasks and timers, and answers with it.
struct CancelInstance {
    static constexpr std::string_view kName = "instance.cancel";

    InstanceKey instance{};
    std::string reason{};
};

Footprint footprint(const CancelInstance& command);
Result<Decision<Instance>> decide(const CancelInstance& command, const WorkingSet& rows,
                                  Instant now);
AuditNote audit_note(const CancelInstance& command, const Instance& instance);

}  // namespace millrace
