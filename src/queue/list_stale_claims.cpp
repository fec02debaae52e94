#include "queue/list_stale_claims.hpp"

#include <limits>

#include "queue/find_execution.hpp"

namespace millrace {

namespace {

std::vector<ExecutionKey> of_workspace(const std::vector<ExecutionKey>& keys,
                                       const WorkspaceId& workspace_id, std::int32_t count_max) {
    std::vector<ExecutionKey> own;
    for (const ExecutionKey& key : keys) {
        if (std::ssize(own) == count_max) break;
        if (key.workspace_id == workspace_id) own.push_back(key);
    }
    return own;
}

}  // namespace

// A store gives those of all workspaces: it is asked for more until others are not in the way.
Result<std::vector<ExecutionKey>> read(const ListStaleClaims& query, Reader& reader) {
    constexpr std::int32_t kGrowth = 8;
    constexpr std::int32_t kAskedMax = std::numeric_limits<std::int32_t>::max() / kGrowth;
    const Result<std::optional<Workspace>> workspace = reader.workspace(query.workspace_id);
    if (!workspace) return workspace.error();
    if (!*workspace) return workspace_not_found(query.workspace_id);
    for (std::int32_t asked = query.count_max;; asked *= kGrowth) {
        const Result<std::vector<ExecutionKey>> found =
            reader.stale_claims(query.claimed_before, asked);
        if (!found) return found.error();
        std::vector<ExecutionKey> own = of_workspace(*found, query.workspace_id, query.count_max);
        const bool is_all = std::ssize(*found) < asked || std::ssize(own) == query.count_max;
        if (is_all || asked > kAskedMax) return own;
    }
}

}  // namespace millrace
