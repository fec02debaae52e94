#include <algorithm>

#include "dispatch/job_broker.hpp"

namespace millrace {

namespace {

// A claim is for one workspace: more of them make one answer fairer and cost a statement each. Over
// several polls turns are fair in any case.
constexpr std::size_t kWorkspacesOfAPoll = 4;

}  // namespace

// What polls for all workspaces ask for, and how things stood before anybody looked.
std::map<JobType, std::uint64_t> JobBroker::types_of_all(const std::vector<PollId>& polls) const {
    std::map<JobType, std::uint64_t> types;
    for (const PollId id : polls) {
        const PollJobs& request = waiters_.at(id).request;
        if (request.workspace_id) continue;
        for (const JobType& type : request.job_types) {
            types.emplace(type, backlog_.generation(anywhere(type)));
        }
    }
    return types;
}

Status JobBroker::scan(const std::set<JobType>& types) {
    const std::vector<JobType> job_types(types.begin(), types.end());
    std::vector<std::uint64_t> generations;
    {
        const MutexLock lock(mutex_);
        for (const JobType& type : job_types) generations.push_back(backlog_.begin_scan(type));
    }
    const Result<std::vector<WaitingType>> waiting = claimer_.waiting_types(job_types);
    if (!waiting) return waiting.error();
    std::map<JobType, std::set<WorkspaceId>> found;
    for (const WaitingType& type : *waiting) found[type.job_type].insert(type.workspace_id);
    const MutexLock lock(mutex_);
    for (std::size_t i = 0; i < job_types.size(); ++i) {
        backlog_.note_scanned(job_types[i], generations[i], std::move(found[job_types[i]]),
                              clock_.now());
    }
    return ok();
}

// Divides the room that each poll has among the workspaces whose turn it is, who came first first,
// and adds what is to be claimed then. Whether there was any turn.
bool JobBroker::share_out(const std::vector<PollId>& polls, std::set<WaitingType>& types) {
    bool is_any = false;
    for (const PollId id : polls) {
        Waiter& waiter = waiters_.at(id);
        waiter.shares.clear();
        const std::size_t room = waiter.room();
        if (waiter.request.workspace_id || room == 0) continue;
        const std::vector<WaitingType> turns = turns_.take(
            waiter.request.job_types, backlog_.ready(), std::min(room, kWorkspacesOfAPoll));
        for (std::size_t i = 0; i < turns.size(); ++i) {
            const std::size_t rest = i < room % turns.size() ? 1 : 0;
            waiter.shares.emplace(turns[i], room / turns.size() + rest);
            types.insert(turns[i]);
        }
        is_any = is_any || !turns.empty();
    }
    return is_any;
}

std::set<JobType> JobBroker::types_of_empty_hands(const std::vector<PollId>& polls) const {
    std::set<JobType> types;
    for (const PollId id : polls) {
        const Waiter& waiter = waiters_.at(id);
        const bool is_empty = !waiter.request.workspace_id && waiter.jobs.empty();
        if (!is_empty || waiter.is_abandoned) continue;
        types.insert(waiter.request.job_types.begin(), waiter.request.job_types.end());
    }
    return types;
}

}  // namespace millrace
