#include "engine/cancel_instance.hpp"

#include "engine/find_instance.hpp"
#include "engine/run_event.hpp"

namespace millrace {

Footprint footprint(const CancelInstance& command) {
    return {.instances = {command.instance}};
}

Result<Decision<Instance>> decide(const CancelInstance& command, const WorkingSet& rows,
                                  Instant now) {
    Result<Instance> instance = find_instance(rows, command.instance);
    if (!instance) return instance.error();
    const CancelRequested event{command.reason};
    return answer_with_instance(run_event(rows, std::move(*instance), event, now));
}

AuditNote audit_note(const CancelInstance& command, const Instance&) {
    return {
        .kind = AuditKind::instance_cancelled,
        .instance_id = command.instance.id,
        .details = {{"reason", unless_empty(command.reason)}},
    };
}

}  // namespace millrace
