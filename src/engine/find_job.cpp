#include "engine/find_job.hpp"

#include <algorithm>

namespace millrace {

Error job_not_found(const JobKey& key) {
    return {ErrorCode::not_found, "job \"" + to_string(key.id.value) + "\" not found"};
}

Job finished_job(const JobKey& key, const StepExecution& line) {
    return {
        .key = key,
        .step_id = line.step_id,
        .status = *line.job_status,
        .lease_token = line.tries.empty() ? 0 : line.tries.back().lease_token,
    };
}

Result<FoundJob> find_job(const WorkingSet& rows, const JobKey& key) {
    if (key.id.value.sequence() < 2) return job_not_found(key);
    if (const Job* open = rows.find(key)) return FoundJob{.job = *open, .is_open = true};

    const StepExecutionKey execution{step_execution_of(key.id), key.workspace_id};
    if (!rows.has_asked(execution)) {
        return FoundJob{.missing = {.step_executions = {execution}}};
    }
    const StepExecution* line = rows.find(execution);
    if (line == nullptr || !line->job_status) return job_not_found(key);
    return FoundJob{.job = finished_job(key, *line)};
}

Footprint footprint_of_job(const JobKey& key) {
    return {.instances = {{instance_of(key.id), key.workspace_id}}, .jobs = {key}};
}

const OpenStep* open_step_of(const Instance& instance, JobId job) {
    const auto& steps = instance.state.open_steps;
    const auto found =
        std::ranges::find(steps, step_execution_of(job).value.sequence(), &OpenStep::sequence);
    return found == steps.end() ? nullptr : &*found;
}

Result<Instance> instance_of_job(const WorkingSet& rows, const JobKey& key) {
    const Instance* instance = rows.find(InstanceKey{instance_of(key.id), key.workspace_id});
    if (instance == nullptr) {
        return Error{ErrorCode::internal, "The instance of this job cannot be found."};
    }
    return *instance;
}

}  // namespace millrace
