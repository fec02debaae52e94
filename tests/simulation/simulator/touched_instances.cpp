#include "simulator/touched_instances.hpp"

#include <algorithm>

namespace millrace::sim {

std::vector<Id128> touched_instances(const Writes& writes) {
    std::vector<Id128> ids;
    const auto add = [&ids](const auto& id) {
        ids.push_back(instance_of(id).value);
    };
    for (const Instance& row : writes.instances_new) add(row.key.id);
    for (const Instance& row : writes.instances_changed) add(row.key.id);
    for (const Job& row : writes.jobs_new) add(row.key.id);
    for (const Job& row : writes.jobs_changed) add(row.key.id);
    for (const JobKey& key : writes.jobs_removed) add(key.id);
    for (const UserTask& row : writes.user_tasks_changed) add(row.key.id);
    for (const NewExecution& row : writes.executions_new) add(row.execution.key.id);
    for (const Execution& row : writes.executions_changed) add(row.key.id);
    std::ranges::sort(ids);
    ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
    return ids;
}

}  // namespace millrace::sim
