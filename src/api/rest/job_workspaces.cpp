#include "api/rest/job_workspaces.hpp"

#include <utility>

#include "core/queue/workspace.hpp"

namespace millrace::rest {

namespace {

constexpr std::size_t kHalfMax = 50'000;  // Some 10 MB in both.

const WorkspaceId& default_workspace() {
    static const WorkspaceId workspace_id{kDefaultWorkspace};
    return workspace_id;
}

}  // namespace

void JobWorkspaces::note(InstanceId id, const WorkspaceId& workspace_id) {
    if (workspace_id == default_workspace()) return;
    const MutexLock lock(mutex_);
    if (newer_.size() >= kHalfMax) older_ = std::exchange(newer_, {});
    newer_.insert_or_assign(id, workspace_id);
}

WorkspaceId JobWorkspaces::guess(InstanceId id) const {
    const MutexLock lock(mutex_);
    for (const Places* places : {&newer_, &older_}) {
        const auto found = places->find(id);
        if (found != places->end()) return found->second;
    }
    return default_workspace();
}

}  // namespace millrace::rest
