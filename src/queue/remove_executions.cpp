#include "queue/remove_executions.hpp"

namespace millrace {

Footprint footprint(const RemoveExecutions& command) {
    return {.executions = command.executions};
}

Result<Decision<RemovedExecutions>> decide(const RemoveExecutions& command, const WorkingSet& rows,
                                           Instant) {
    Decision<RemovedExecutions> decision;
    for (const ExecutionKey& key : command.executions) {
        const Execution* execution = rows.find(key);
        const bool has_expired = execution != nullptr && !is_open(execution->queue_status) &&
                                 execution->completed_at < command.ended_before;
        if (has_expired) decision.effects.executions_removed.push_back(key);
    }
    decision.answer.count = decision.effects.executions_removed.size();
    return decision;
}

}  // namespace millrace
