#pragma once

#include "commit/command.hpp"
#include "engine/audit_note.hpp"

namespace millrace {

// A FAILED execution is no dead letter any more: nobody wants to see it again.
struct DismissDeadLetter {
    static constexpr std::string_view kName = "execution.dismiss";

    ExecutionKey key{};
};

Footprint footprint(const DismissDeadLetter& command);
Result<Decision<Execution>> decide(const DismissDeadLetter& command, const WorkingSet& rows,
                                   Instant now);
AuditNote audit_note(const DismissDeadLetter& command, const Execution& answer);

}  // namespace millrace
