#include "engine/note_backup.hpp"

namespace millrace {

Footprint footprint(const NoteBackup&) {
    return {};
}

Result<Decision<bool>> decide(const NoteBackup& command, const WorkingSet&, Instant now) {
    const AuditEntry entry{
        .key = command.entry,
        .at = now,
        .kind = AuditKind::backup_taken,
        .actor = command.actor,
    };
    return Decision<bool>{.effects = {.audit_entries = {entry}}, .answer = true};
}

}  // namespace millrace
