#include "engine/remove_instances.hpp"

namespace millrace {

Footprint footprint(const RemoveInstances& command) {
    return {.instances = command.instances};
}

Result<Decision<RemovedInstances>> decide(const RemoveInstances& command, const WorkingSet& rows,
                                          Instant) {
    Decision<RemovedInstances> decision;
    for (const InstanceKey& key : command.instances) {
        const Instance* instance = rows.find(key);
        const bool has_expired = instance != nullptr && is_terminal(instance->status) &&
                                 instance->completed_at < command.ended_before;
        if (has_expired) decision.effects.instances_removed.push_back(key);
    }
    decision.answer.count = decision.effects.instances_removed.size();
    return decision;
}

}  // namespace millrace
