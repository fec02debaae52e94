#include "engine/open_jobs.hpp"

namespace millrace {

namespace {

std::vector<JobKey> open_jobs(const Instance& instance) {
    std::vector<JobKey> keys;
    for (const OpenStep& step : instance.state.open_steps) {
        if (step.type != StepType::service_task) continue;
        const StepExecutionId id{instance.key.id.value.with_sequence(step.sequence)};
        keys.push_back({job_of(id), instance.key.workspace_id});
    }
    return keys;
}

}  // namespace

Footprint missing_jobs(const WorkingSet& rows, const Instance& instance) {
    Footprint missing;
    for (const JobKey& key : open_jobs(instance)) {
        if (!rows.has_asked(key)) missing.jobs.push_back(key);
    }
    return missing;
}

void change_open_jobs(const WorkingSet& rows, const Instance& instance,
                      const std::function<Job(Job)>& change, Effects& effects) {
    for (const JobKey& key : open_jobs(instance)) {
        const Job* job = rows.find(key);
        if (job == nullptr) continue;
        Job changed = change(*job);
        if (changed != *job) effects.jobs.push_back(std::move(changed));
    }
}

}  // namespace millrace
