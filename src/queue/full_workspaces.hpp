#pragma once

#include <set>
#include <vector>

#include "queue/admit_executions.hpp"

namespace millrace {

// Which workspaces are full, so that it is told once per change.
class FullWorkspaces {
public:
    // Those that are full now and were not when they were last looked at.
    std::vector<WorkspaceAtCapacity> learn(const AdmittedExecutions& round);

private:
    std::set<WorkspaceId> full_{};
};

}  // namespace millrace
