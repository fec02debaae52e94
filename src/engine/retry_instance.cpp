#include "engine/retry_instance.hpp"

#include "engine/find_instance.hpp"
#include "engine/run_event.hpp"

namespace millrace {

Footprint footprint(const RetryInstance& command) {
    return {.instances = {command.instance}};
}

Result<Decision<Instance>> decide(const RetryInstance& command, const WorkingSet& rows,
                                  Instant now) {
    Result<Instance> instance = find_instance(rows, command.instance);
    if (!instance) return instance.error();
    return answer_with_instance(run_event(rows, std::move(*instance), RetryRequested{}, now));
}

}  // namespace millrace
