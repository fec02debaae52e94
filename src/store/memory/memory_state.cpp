#include "store/memory/memory_state.hpp"

#include <limits>

namespace millrace {

MemoryTables::MemoryTables() : commit_number(1) {
    const WorkspaceId id{kDefaultWorkspace};
    workspaces.emplace(id, Workspace{.id = id, .name = id.value, .plan = "UNLIMITED"});
    lines.emplace(id, MemoryRow<LineState>{.commit_number = commit_number});
}

const MemoryDefinition* MemoryTables::find_definition(const DefinitionKey& key) const {
    if (key.version != 0) {
        const auto found = definitions.find(key);
        return found == definitions.end() ? nullptr : &found->second;
    }
    constexpr std::int32_t kBehindAll = std::numeric_limits<std::int32_t>::max();
    auto next = definitions.upper_bound({key.workspace_id, key.id, kBehindAll});
    if (next == definitions.begin()) return nullptr;
    const auto& [latest_key, latest] = *--next;
    const bool same = latest_key.workspace_id == key.workspace_id && latest_key.id == key.id;
    return same ? &latest : nullptr;
}

}  // namespace millrace
