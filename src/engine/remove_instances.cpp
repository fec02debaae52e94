#include "engine/remove_instances.hpp"

namespace millrace {

namespace {

// Its execution stands in line again, and goes on with this instance once it is let in.
bool is_waited_for(const WorkingSet& rows, const Instance& instance) {
    if (!instance.execution_id) return false;
    const Execution* execution = rows.find({*instance.execution_id, instance.key.workspace_id});
    return execution != nullptr && is_open(execution->queue_status) &&
           execution->instance_id == instance.key.id;
}

}  // namespace

Footprint footprint(const RemoveInstances& command) {
    return {.instances = command.instances, .executions_of_instances = true};
}

Result<Decision<RemovedInstances>> decide(const RemoveInstances& command, const WorkingSet& rows,
                                          Instant) {
    Decision<RemovedInstances> decision;
    for (const InstanceKey& key : command.instances) {
        const Instance* instance = rows.find(key);
        const bool has_expired = instance != nullptr && is_terminal(instance->status) &&
                                 instance->completed_at < command.ended_before &&
                                 !is_waited_for(rows, *instance);
        if (has_expired) decision.effects.instances_removed.push_back(key);
    }
    decision.answer.count = decision.effects.instances_removed.size();
    return decision;
}

}  // namespace millrace
