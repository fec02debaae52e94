#include "engine/back_in_line.hpp"

#include "core/definition/retry_policy.hpp"
#include "core/job/transitions.hpp"

namespace millrace {

Job back_in_line(Job job, const Instance& instance, Instant now) {
    if (!instance.state.is_suspended) return job;
    return keep_back(std::move(job), kEndOfTime, now);
}

Duration retry_delay(const WorkingSet& rows, const Instance& instance, const Job& job) {
    const DefinitionRow* row = rows.definition_of(instance);
    const Step* step = row == nullptr ? nullptr : row->definition->find_step(job.step_id);
    if (step == nullptr) return Duration::zero();
    const std::int32_t failures = step->retry_count - job.retries_remaining + 1;
    return delay_after(step->retry_policy, failures, job.key.id);
}

}  // namespace millrace
