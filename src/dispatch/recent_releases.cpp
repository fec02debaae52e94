#include "dispatch/recent_releases.hpp"

#include "core/limits.hpp"

namespace millrace {

void RecentReleases::note(JobId job, WaitingType type, const WorkerId& worker_id, Instant until) {
    if (const auto known = by_job_.find(job); known != by_job_.end()) forget(known);
    if (by_job_.size() >= limits::kReleasesRemembered) forget(by_job_.find(ends_.begin()->second));
    by_worker_[worker_id].insert(job);
    ends_.emplace(until, job);
    by_job_[job] = {.type = std::move(type), .worker_id = worker_id, .until = until};
}

std::vector<JobId> RecentReleases::of(const WorkerId& worker_id) const {
    const auto found = by_worker_.find(worker_id);
    if (found == by_worker_.end()) return {};
    return {found->second.begin(), found->second.end()};
}

std::set<WaitingType> RecentReleases::end(Instant now) {
    std::set<WaitingType> types;
    while (!ends_.empty() && ends_.begin()->first <= now) {
        const auto release = by_job_.find(ends_.begin()->second);
        const WaitingType& type = release->second.type;
        if (!type.job_type.value.empty()) types.insert(type);
        forget(release);
    }
    return types;
}

std::optional<Instant> RecentReleases::next_end() const {
    if (ends_.empty()) return std::nullopt;
    return ends_.begin()->first;
}

void RecentReleases::forget(ByJob::iterator release) {
    const auto of_worker = by_worker_.find(release->second.worker_id);
    of_worker->second.erase(release->first);
    if (of_worker->second.empty()) by_worker_.erase(of_worker);
    ends_.erase({release->second.until, release->first});
    by_job_.erase(release);
}

}  // namespace millrace
