#include "queue/full_workspaces.hpp"

namespace millrace {

std::vector<WorkspaceAtCapacity> FullWorkspaces::learn(const AdmittedExecutions& round) {
    for (const Execution& execution : round.dispatched) full_.erase(execution.key.workspace_id);
    for (const ClaimedExecution& claimed : round.claimed) {
        full_.erase(claimed.execution.key.workspace_id);
    }
    std::vector<WorkspaceAtCapacity> news;
    for (const WorkspaceAtCapacity& each : round.workspaces_at_capacity) {
        if (full_.insert(each.workspace_id).second) news.push_back(each);
    }
    return news;
}

}  // namespace millrace
