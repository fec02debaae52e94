#include "store/unreadable_rows.hpp"

#include <algorithm>
#include <iterator>

namespace millrace {

namespace {

template <class Key>
void append_keys(std::vector<Key>& to, std::vector<Key>& from) {
    std::ranges::move(from, std::back_inserter(to));
}

template <class Key>
bool meet(const std::vector<Key>& few, const std::vector<Key>& asked) {
    return std::ranges::any_of(
        few, [&](const Key& key) { return std::ranges::find(asked, key) != asked.end(); });
}

}  // namespace

void UnreadableRows::add(UnreadableRows more) {
    append_keys(instances, more.instances);
    append_keys(jobs, more.jobs);
    append_keys(user_tasks, more.user_tasks);
    append_keys(step_executions, more.step_executions);
    append_keys(definitions, more.definitions);
    append_keys(executions, more.executions);
    append_keys(reasons, more.reasons);
}

bool UnreadableRows::concern(const Footprint& footprint) const {
    return meet(instances, footprint.instances) || meet(jobs, footprint.jobs) ||
           meet(user_tasks, footprint.user_tasks) ||
           meet(step_executions, footprint.step_executions) ||
           meet(definitions, footprint.definitions) || meet(executions, footprint.executions);
}

}  // namespace millrace
