#include "engine/fail_step.hpp"

#include "engine/run_event.hpp"

namespace millrace {

Footprint footprint(const FailStep& command) {
    return {.instances = {command.instance}};
}

Result<Decision<Instance>> decide(const FailStep& command, const WorkingSet& rows, Instant now) {
    const Instance* instance = rows.find(command.instance);
    if (instance == nullptr) return Error{ErrorCode::not_found, "instance not found"};
    return answer_with_instance(
        run_event(rows, *instance, StepRefused{command.sequence, command.reason}, now));
}

}  // namespace millrace
