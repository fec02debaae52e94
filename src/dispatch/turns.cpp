#include "dispatch/turns.hpp"

#include <algorithm>

namespace millrace {

namespace {

constexpr std::size_t kPlacesMax = 10'000;  // Lists come from clients: begin anew.

// The first workspace behind that one with jobs of any of these types.
std::optional<WorkspaceId> first_behind(const WorkspaceId& behind,
                                        const std::vector<JobType>& job_types,
                                        const ReadyWorkspaces& ready) {
    std::optional<WorkspaceId> first;
    for (const JobType& type : job_types) {
        const auto found = ready.find(type);
        if (found == ready.end()) continue;
        const auto following = found->second.upper_bound(behind);
        if (following == found->second.end()) continue;
        if (!first || *following < *first) first = *following;
    }
    return first;
}

bool is_ready(const ReadyWorkspaces& ready, const WaitingType& type) {
    const auto found = ready.find(type.job_type);
    return found != ready.end() && found->second.contains(type.workspace_id);
}

}  // namespace

std::vector<WaitingType> Turns::take(const std::vector<JobType>& job_types,
                                     const ReadyWorkspaces& ready, std::size_t count_max) {
    if (places_.size() >= kPlacesMax && !places_.contains(job_types)) places_.clear();
    Place& place = places_[job_types];
    std::vector<WaitingType> taken;
    while (taken.size() < count_max) {
        Place following = place;
        const std::optional<WaitingType> turn = next(following, job_types, ready);
        const bool is_all_around =
            turn &&
            std::ranges::find(taken, turn->workspace_id, &WaitingType::workspace_id) != taken.end();
        if (!turn || is_all_around) break;
        place = following;
        taken.push_back(*turn);
    }
    return taken;
}

std::optional<WaitingType> Turns::next(Place& place, const std::vector<JobType>& job_types,
                                       const ReadyWorkspaces& ready) {
    std::optional<WorkspaceId> workspace_id = first_behind(place.behind, job_types, ready);
    if (!workspace_id) {
        workspace_id = first_behind({}, job_types, ready);
        place.round += 1;
    }
    if (!workspace_id) return std::nullopt;
    place.behind = *workspace_id;
    for (std::size_t i = 0; i < job_types.size(); ++i) {
        const WaitingType turn{*workspace_id, job_types[(place.round + i) % job_types.size()]};
        if (is_ready(ready, turn)) return turn;
    }
    return std::nullopt;
}

}  // namespace millrace
