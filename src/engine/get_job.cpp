#include "engine/get_job.hpp"

#include <algorithm>

#include "engine/find_job.hpp"
#include "engine/stored_definition.hpp"

namespace millrace {

namespace {

JobView view_of_finished(const JobKey& key, const StepExecution& line, const Step* step) {
    JobView view{.job = finished_job(key, line), .tries = line.tries};
    view.job.created_at = line.started_at;
    if (step != nullptr) view.job.job_type = {step->job_type};
    return view;
}

}  // namespace

Result<JobView> read(const GetJob& query, Reader& reader) {
    JobKey key = query.job;
    if (key.id.value.sequence() < 2) return job_not_found(key);
    if (query.is_anywhere) {
        const auto workspace_id = reader.workspace_of_instance(instance_of(key.id));
        if (!workspace_id) return workspace_id.error();
        if (!*workspace_id) return job_not_found(key);
        key.workspace_id = **workspace_id;
    }
    // The job first: one that ends before the history is read is told by the history.
    const Result<std::optional<Job>> job = reader.job(key);
    if (!job) return job.error();
    const InstanceKey instance_key{instance_of(key.id), key.workspace_id};
    const std::uint32_t sequence = step_execution_of(key.id).value.sequence();
    const Result<std::optional<InstanceHistory>> history =
        reader.history(instance_key, {.after = sequence - 1, .count_max = 1});
    if (!history) return history.error();
    if (!*history) return job_not_found(key);

    const auto& open_steps = (*history)->instance.state.open_steps;
    const auto open = std::ranges::find(open_steps, sequence, &OpenStep::sequence);
    if (*job) {
        const bool is_known = open != open_steps.end();
        return JobView{.job = **job, .tries = is_known ? open->tries : std::vector<Try>{}};
    }
    for (const StepExecution& line : (*history)->closed) {
        if (line.key.id != step_execution_of(key.id) || !line.job_status) continue;
        const Result<DefinitionPtr> definition = stored_definition((*history)->instance, reader);
        if (!definition) return definition.error();
        const Step* step =
            *definition == nullptr ? nullptr : (*definition)->find_step(line.step_id);
        return view_of_finished(key, line, step);
    }
    return job_not_found(key);
}

}  // namespace millrace
