#include "store/footprint.hpp"

#include <algorithm>
#include <functional>

namespace millrace {

namespace {

template <class Key>
void append(std::vector<Key>& to, const std::vector<Key>& from) {
    to.insert(to.end(), from.begin(), from.end());
}

template <class Key>
void sort_unique(std::vector<Key>& keys) {
    std::ranges::sort(keys);
    const auto repeated = std::ranges::unique(keys);
    keys.erase(repeated.begin(), repeated.end());
}

// Sequence 1 belongs to no instance, so a name never stands in the way of one.
Id128 stand_in(const UploadKey& key) {
    const std::hash<std::string> hash;
    return Id128{hash(key.workspace_id.value), hash(key.id)}.with_sequence(1);
}

Id128 stand_in(const IdempotencyKey& key) {
    const std::hash<std::string> hash;
    return Id128{hash(key.workspace_id.value + '/' + key.operation), hash(key.key)}.with_sequence(
        1);
}

Id128 stand_in(const std::string& api_key) {
    const std::hash<std::string> hash;
    return Id128{hash("api_key"), hash(api_key)}.with_sequence(1);
}

}  // namespace

void Footprint::add(const Footprint& other) {
    append(instances, other.instances);
    append(jobs, other.jobs);
    append(user_tasks, other.user_tasks);
    append(idempotency_keys, other.idempotency_keys);
    append(api_keys, other.api_keys);
    append(step_executions, other.step_executions);
    append(definitions, other.definitions);
    append(uploads, other.uploads);
    append(executions, other.executions);
    executions_of_instances = executions_of_instances || other.executions_of_instances;
    append(workspaces, other.workspaces);
    if (other.admission) admission = other.admission;
}

void Footprint::normalise() {
    sort_unique(instances);
    sort_unique(jobs);
    sort_unique(user_tasks);
    sort_unique(idempotency_keys);
    sort_unique(api_keys);
    sort_unique(step_executions);
    sort_unique(definitions);
    sort_unique(uploads);
    sort_unique(executions);
    sort_unique(workspaces);
    sort_unique(bound.instances_first);
    sort_unique(bound.definitions_first);
}

bool Footprint::empty() const {
    return instances.empty() && jobs.empty() && user_tasks.empty() && idempotency_keys.empty() &&
           api_keys.empty() && step_executions.empty() && definitions.empty() && uploads.empty() &&
           executions.empty() && workspaces.empty() && !admission;
}

std::vector<Id128> Footprint::holds() const {
    std::vector<Id128> holds;
    holds.reserve(instances.size() + jobs.size() + user_tasks.size() + idempotency_keys.size() +
                  api_keys.size() + uploads.size() + executions.size() + 1);
    for (const InstanceKey& key : instances) holds.push_back(key.id.value);
    for (const JobKey& key : jobs) holds.push_back(instance_of(key.id).value);
    for (const UserTaskKey& key : user_tasks) holds.push_back(instance_of(key.id).value);
    for (const IdempotencyKey& key : idempotency_keys) holds.push_back(stand_in(key));
    for (const std::string& id : api_keys) holds.push_back(stand_in(id));
    for (const UploadKey& key : uploads) holds.push_back(stand_in(key));
    for (const ExecutionKey& key : executions) holds.push_back(key.id.value);
    if (admission) holds.push_back(Id128{}.with_sequence(1));
    sort_unique(holds);
    return holds;
}

}  // namespace millrace
