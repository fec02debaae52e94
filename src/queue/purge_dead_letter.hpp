#pragma once

#include "commit/command.hpp"
#include "engine/audit_note.hpp"

namespace millrace {

// Removes the record of a dead letter, for good. conflict: it is none, or no more.
struct PurgeDeadLetter {
    static constexpr std::string_view kName = "execution.purge";

    ExecutionKey key{};
};

Footprint footprint(const PurgeDeadLetter& command);
// Answers with the execution as it was.
Result<Decision<Execution>> decide(const PurgeDeadLetter& command, const WorkingSet& rows,
                                   Instant now);
AuditNote audit_note(const PurgeDeadLetter& command, const Execution& answer);

}  // namespace millrace
