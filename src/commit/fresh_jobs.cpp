#include "commit/fresh_jobs.hpp"

#include <algorithm>
#include <utility>

#include "base/check.hpp"
#include "core/job/transitions.hpp"

namespace millrace {

namespace {

// The variables that a job of this batch shows: its own snapshot, or its instance's.
const Variables* variables_shown(const Job& job, const Writes& writes) {
    if (job.variables) return &*job.variables;
    const InstanceKey key{instance_of(job.key.id), job.key.workspace_id};
    for (const std::vector<Instance>* instances :
         {&writes.instances_new, &writes.instances_changed}) {
        const auto found = std::ranges::lower_bound(*instances, key, {}, &Instance::key);
        if (found != instances->end() && found->key == key) return &found->variables;
    }
    return nullptr;
}

}  // namespace

void FreshJobs::claim(Writes& writes, Instant now) {
    std::vector<Job*> fresh;
    std::vector<OfferedJob> offered;
    for (std::vector<Job>* jobs : {&writes.jobs_new, &writes.jobs_changed}) {
        for (Job& job : *jobs) {
            if (job.status != JobState::unlocked) continue;
            const WaitingType type{job.key.workspace_id, job.job_type};
            if (variables_shown(job, writes) == nullptr) {
                waiting_.push_back(type);
                continue;
            }
            fresh.push_back(&job);
            offered.push_back({type, job.key.id});
        }
    }
    if (fresh.empty()) return;

    grants_ = demand_.reserve(offered);
    for (const JobGrant& grant : grants_) {
        Job& job = *fresh[grant.job];
        Result<Job> claimed =
            millrace::claim(std::move(job), grant.worker_id, grant.lease_duration, now);
        MILLRACE_CHECK(claimed);
        job = std::move(*claimed);
        granted_.push_back({job, *variables_shown(job, writes)});
    }
    for (const Job* job : fresh) {
        if (job->status == JobState::unlocked) {
            waiting_.push_back({job->key.workspace_id, job->job_type});
        }
    }
}

void FreshJobs::hand_out() {
    const std::vector<JobGrant> grants = std::exchange(grants_, {});
    const std::vector<WaitingType> waiting = std::exchange(waiting_, {});
    std::vector<DeliveredJob> granted = std::exchange(granted_, {});
    if (!grants.empty()) demand_.deliver(grants, std::move(granted));
    if (!waiting.empty()) demand_.announce(waiting);
}

void FreshJobs::take_back() {
    const std::vector<JobGrant> grants = std::exchange(grants_, {});
    granted_.clear();
    waiting_.clear();
    if (!grants.empty()) demand_.give_back(grants);
}

// A hint too much costs a look, one too little would leave the jobs lying.
void FreshJobs::announce_doubt() {
    std::vector<WaitingType> types = std::exchange(waiting_, {});
    for (const DeliveredJob& granted : granted_) {
        types.push_back({granted.job.key.workspace_id, granted.job.job_type});
    }
    take_back();
    if (!types.empty()) demand_.announce(types);
}

}  // namespace millrace
