#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <vector>

#include "store/job_claimer.hpp"

namespace millrace {

// The workspaces in which jobs of a type are believed to wait.
using ReadyWorkspaces = std::map<JobType, std::set<WorkspaceId>>;

// Whose turn it is where a poll may be served by any workspace. Around and around: the workspaces
// in the order of their names, one type of each at a time, and another type in the next round.
//
// Polls for the same types take turns together. Others have turns of their own: else those that
// only one workspace can serve would keep it from its turn everywhere.
class Turns {
public:
    // The next to serve a poll for these types: up to `count_max`, no workspace twice. Their turns
    // are over then, whatever comes of it.
    std::vector<WaitingType> take(const std::vector<JobType>& job_types,
                                  const ReadyWorkspaces& ready, std::size_t count_max);

private:
    struct Place {
        WorkspaceId behind{};   // Who had the last turn.
        std::size_t round = 0;  // Says which type is first.
    };

    static std::optional<WaitingType> next(Place& place, const std::vector<JobType>& job_types,
                                           const ReadyWorkspaces& ready);

    std::map<std::vector<JobType>, Place> places_;
};

}  // namespace millrace
