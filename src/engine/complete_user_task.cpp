#include "engine/complete_user_task.hpp"

#include "engine/find_instance.hpp"
#include "engine/run_event.hpp"

namespace millrace {

Footprint footprint(const CompleteUserTask& command) {
    return {.instances = {command.instance}};
}

Result<Decision<Instance>> decide(const CompleteUserTask& command, const WorkingSet& rows,
                                  Instant now) {
    Result<Instance> instance = find_instance(rows, command.instance);
    if (!instance) return instance.error();
    const UserTaskCompleted event{command.step_id, command.variables, command.completed_by};
    return answer_with_instance(run_event(rows, std::move(*instance), event, now));
}

}  // namespace millrace
