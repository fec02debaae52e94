#pragma once

#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "store/job_claimer.hpp"

namespace millrace {

// Which worker has released which job a moment ago. Only a memory of this process: a job that is
// forgotten, or that another replica hands out, may come back to its worker at once.
class RecentReleases {
public:
    // `type` may be empty as long as it is not known.
    void note(JobId job, WaitingType type, const WorkerId& worker_id, Instant until);

    bool has(JobId job) const { return by_job_.contains(job); }
    bool has(const WorkerId& worker_id) const { return by_worker_.contains(worker_id); }
    // The jobs of this worker.
    std::vector<JobId> of(const WorkerId& worker_id) const;

    // Forgets those whose time is over and tells their types, where they are known.
    std::set<WaitingType> end(Instant now);
    std::optional<Instant> next_end() const;

private:
    struct Release {
        WaitingType type{};
        WorkerId worker_id{};
        Instant until{};
    };
    using ByJob = std::map<JobId, Release>;

    void forget(ByJob::iterator release);

    ByJob by_job_;
    std::map<WorkerId, std::set<JobId>> by_worker_;
    std::set<std::pair<Instant, JobId>> ends_;
};

}  // namespace millrace
