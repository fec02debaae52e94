#pragma once

#include "commit/command.hpp"
#include "core/audit/audit_entry.hpp"

namespace millrace {

// Leaves an audit entry of a backup: it changes nothing, but takes all there is.
struct NoteBackup {
    static constexpr std::string_view kName = "backup.note";

    AuditKey entry{};
    Actor actor{};
};

Footprint footprint(const NoteBackup& command);
Result<Decision<bool>> decide(const NoteBackup& command, const WorkingSet& rows, Instant now);

}  // namespace millrace
