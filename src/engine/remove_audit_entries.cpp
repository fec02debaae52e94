#include "engine/remove_audit_entries.hpp"

namespace millrace {

Footprint footprint(const RemoveAuditEntries&) {
    return {};
}

Result<Decision<RemovedAuditEntries>> decide(const RemoveAuditEntries& command, const WorkingSet&,
                                             Instant) {
    return Decision<RemovedAuditEntries>{.effects = {.audit_removed = command.entries}};
}

}  // namespace millrace
