#include "store/reading_bound.hpp"

#include <algorithm>

#include "store/working_set.hpp"

namespace millrace {

namespace {

template <class Key>
void put_in_order(std::vector<Key>& keys) {
    std::ranges::sort(keys);
    const auto repeated = std::ranges::unique(keys);
    keys.erase(repeated.begin(), repeated.end());
}

template <class Key>
bool share_one(const std::vector<Key>& sorted, const std::vector<Key>& asked) {
    return !sorted.empty() && std::ranges::any_of(asked, [&](const Key& key) {
        return std::ranges::binary_search(sorted, key);
    });
}

bool needs_one_of(const WaitingExecution& waiting, const std::set<std::int64_t>& definitions) {
    return definitions.contains(waiting.execution.definition.row_id) ||
           (waiting.instance && definitions.contains(waiting.instance->definition.row_id));
}

}  // namespace

void LeftOutRows::normalise() {
    put_in_order(instances);
    put_in_order(definitions);
}

bool LeftOutRows::concern(const std::vector<Id128>& holds, const Footprint& footprint) const {
    return share_one(instances, holds) || share_one(definitions, footprint.definitions);
}

bool comes_first(const ReadingBound& bound, const InstanceKey& key) {
    return std::ranges::binary_search(bound.instances_first, key.id.value);
}

bool comes_first(const ReadingBound& bound, const JobKey& key) {
    return std::ranges::binary_search(bound.instances_first, instance_of(key.id).value);
}

bool comes_first(const ReadingBound& bound, const DefinitionKey& key) {
    return std::ranges::binary_search(bound.definitions_first, key);
}

std::set<std::int64_t> definitions_first(const ReadingBound& bound, const LoadedRows& rows) {
    std::set<std::int64_t> first;
    for (const auto& [key, row] : rows.definitions) {
        if (row && comes_first(bound, key)) first.insert(row->ref.row_id);
    }
    for (const Instance& instance : rows.instances) {
        if (comes_first(bound, instance.key)) first.insert(instance.definition.row_id);
    }
    const auto& lines = rows.admission.lines;
    const auto line = std::ranges::find_if_not(
        lines, [](const WorkspaceLine& each) { return each.ready.empty(); });
    if (line == lines.end()) return first;
    first.insert(line->ready.front().execution.definition.row_id);
    if (line->ready.front().instance) {
        first.insert(line->ready.front().instance->definition.row_id);
    }
    return first;
}

void leave_out(LoadedRows& rows, const std::set<std::int64_t>& definitions) {
    if (definitions.empty()) return;
    std::erase_if(rows.definitions, [&](const auto& each) {
        const bool is_out = each.second && definitions.contains(each.second->ref.row_id);
        if (is_out) rows.left_out.definitions.push_back(each.first);
        return is_out;
    });
    std::erase_if(rows.instances, [&](const Instance& instance) {
        const bool is_out = definitions.contains(instance.definition.row_id);
        if (is_out) rows.left_out.instances.push_back(instance.key.id.value);
        return is_out;
    });
    for (WorkspaceLine& line : rows.admission.lines) {
        std::erase_if(line.ready, [&](const WaitingExecution& waiting) {
            return needs_one_of(waiting, definitions);
        });
    }
}

}  // namespace millrace
