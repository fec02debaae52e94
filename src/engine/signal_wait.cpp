#include "engine/signal_wait.hpp"

#include "engine/find_instance.hpp"
#include "engine/run_event.hpp"

namespace millrace {

Footprint footprint(const SignalWait& command) {
    return {.instances = {command.instance}};
}

Result<Decision<Instance>> decide(const SignalWait& command, const WorkingSet& rows, Instant now) {
    Result<Instance> instance = find_instance(rows, command.instance);
    if (!instance) return instance.error();
    const SignalReceived event{command.step_id, command.variables};
    return answer_with_instance(run_event(rows, std::move(*instance), event, now));
}

AuditNote audit_note(const SignalWait& command, const Instance&) {
    return {
        .kind = AuditKind::signal_received,
        .instance_id = command.instance.id,
        .subject = command.step_id,
        .details = {{"variables", variable_names(command.variables)}},
    };
}

}  // namespace millrace
