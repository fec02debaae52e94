#pragma once

#include <cstddef>
#include <map>
#include <optional>

#include "base/id.hpp"
#include "base/mutex.hpp"

namespace millrace::rest {

// In which workspaces the instances are whose jobs went out to workers that name no workspace: they
// report by the id of the job alone, mostly to the server that they have it from. A hint: what is
// forgotten, or what another server handed out, is looked up. Thread-safe.
class JobWorkspaces {
public:
    void note(InstanceId id, const WorkspaceId& workspace_id);
    // Where to look first: `default` when nothing is known.
    WorkspaceId guess(InstanceId id) const;

private:
    using Places = std::map<InstanceId, WorkspaceId>;

    mutable Mutex mutex_;
    // Two halves: when one is full, the other is forgotten.
    Places newer_ MILLRACE_GUARDED_BY(mutex_);
    Places older_ MILLRACE_GUARDED_BY(mutex_);
};

}  // namespace millrace::rest
