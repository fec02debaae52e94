#include "dispatch/job_broker.hpp"

namespace millrace {

void JobBroker::pass_over(const JobKey& job, const JobType& type, const WorkerId& worker_id) {
    if (worker_id.value.empty()) return;
    {
        const MutexLock lock(mutex_);
        releases_.note(job.id, {job.workspace_id, type}, worker_id,
                       clock_.now() + limits::kReleasedPassedOver);
    }
    // Whoever sleeps until something is due must know of the end.
    wake_();
}

// Those who passed over a job may have it now, and nothing else tells them.
void JobBroker::end_releases(Instant now) {
    for (const WaitingType& type : releases_.end(now)) {
        backlog_.note_waiting(type);
        want_parked(type);
        want_parked(anywhere(type.job_type));
    }
}

// First all polls of workers that have released nothing, then those of each other worker: one claim
// passes over the same jobs for all its slots.
std::vector<std::vector<JobBroker::PollId>> JobBroker::by_releases(
    const std::vector<PollId>& polls) const {
    std::vector<std::vector<PollId>> groups(1);
    std::map<WorkerId, std::vector<PollId>> of_releasing;
    for (const PollId id : polls) {
        const Waiter& waiter = waiters_.at(id);
        if (has_released(waiter)) {
            of_releasing[waiter.request.worker_id].push_back(id);
        } else {
            groups.front().push_back(id);
        }
    }
    for (auto& [worker_id, alike] : of_releasing) groups.push_back(std::move(alike));
    return groups;
}

// Of any of these polls: a worker may have released a job since the round began.
std::vector<JobId> JobBroker::releases_of(const std::vector<PollId>& polls) const {
    if (!releases_.next_end()) return {};
    std::set<JobId> jobs;
    for (const PollId id : polls) {
        const std::vector<JobId> own = releases_.of(waiters_.at(id).request.worker_id);
        jobs.insert(own.begin(), own.end());
    }
    return {jobs.begin(), jobs.end()};
}

bool JobBroker::has_released(const Waiter& waiter) const {
    return releases_.has(waiter.request.worker_id);
}

}  // namespace millrace
