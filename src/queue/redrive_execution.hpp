#pragma once

#include "commit/command.hpp"
#include "engine/audit_note.hpp"

namespace millrace {

// A dead letter that never ran begins again under its id, with all its attempts. conflict: it is no
// dead letter, or it has run.
struct RedriveExecution {
    static constexpr std::string_view kName = "execution.redrive";

    ExecutionKey key{};
    std::optional<Instant> not_before{};  // It waits until then.
};

Footprint footprint(const RedriveExecution& command);
Result<Decision<Execution>> decide(const RedriveExecution& command, const WorkingSet& rows,
                                   Instant now);
AuditNote audit_note(const RedriveExecution& command, const Execution& answer);

}  // namespace millrace
