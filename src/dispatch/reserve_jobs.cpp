#include <algorithm>
#include <iterator>

#include "base/check.hpp"
#include "core/limits.hpp"
#include "dispatch/job_broker.hpp"

namespace millrace {

namespace {

// Moves what an answer cannot hold. Jobs of one instance share its variables until they are
// written: a small batch can make a large answer.
void take_surplus(std::vector<DeliveredJob>& jobs, std::int64_t bytes_max,
                  std::vector<DeliveredJob>& surplus) {
    std::int64_t bytes = 0;
    const auto last = std::ranges::find_if(jobs, [&bytes, bytes_max](const DeliveredJob& each) {
        bytes += std::ssize(each.variables.text());
        return bytes >= bytes_max;
    });
    if (last == jobs.end()) return;
    surplus.insert(surplus.end(), std::make_move_iterator(last + 1),
                   std::make_move_iterator(jobs.end()));
    jobs.erase(last + 1, jobs.end());
}

}  // namespace

// Fresh jobs of one type of one workspace, and the parked polls that ask for just these.
struct JobBroker::Deal {
    WaitingType type{};
    std::deque<std::size_t> jobs{};
    std::deque<PollId> hands{};
};

// One job of each workspace and type in turn, to one poll after the other, until jobs or hands run
// out.
std::vector<JobGrant> JobBroker::reserve(std::span<const OfferedJob> offered) {
    const MutexLock lock(mutex_);
    std::vector<JobGrant> grants;
    std::map<PollId, std::int32_t> taken;
    std::vector<Deal> deals = deals_of(offered);
    std::map<JobType, std::deque<PollId>> hands_of_all;
    for (const Deal& deal : deals) {
        const auto parked = parked_.find(anywhere(deal.type.job_type));
        if (parked == parked_.end()) continue;
        hands_of_all[deal.type.job_type].assign(parked->second.begin(), parked->second.end());
    }
    for (bool is_dealt = true; is_dealt;) {
        is_dealt = false;
        for (Deal& deal : deals) {
            is_dealt = deal_one(deal, hands_of_all[deal.type.job_type], taken, grants) || is_dealt;
        }
    }
    for (const auto& [id, count] : taken) {
        Waiter& waiter = waiters_.at(id);
        leave_place(id, waiter);
        waiter.place = Place::reserved;
    }
    return grants;
}

std::vector<JobBroker::Deal> JobBroker::deals_of(std::span<const OfferedJob> offered) {
    std::map<WaitingType, Deal> deals;
    for (std::size_t job = 0; job < offered.size(); ++job) {
        // A claim round knows how to keep it from the worker that has just released it.
        if (releases_.has(offered[job].id)) continue;
        Deal& deal = deals[offered[job].type];
        if (deal.jobs.empty()) {
            deal.type = offered[job].type;
            const auto parked = parked_.find(deal.type);
            if (parked != parked_.end()) {
                deal.hands.assign(parked->second.begin(), parked->second.end());
            }
        }
        deal.jobs.push_back(job);
    }
    std::vector<Deal> list;
    for (auto& [type, deal] : deals) list.push_back(std::move(deal));
    return list;
}

// Whether there was a job and a hand. Who has least comes first, and among those who came first.
bool JobBroker::deal_one(Deal& deal, std::deque<PollId>& hands_of_all,
                         std::map<PollId, std::int32_t>& taken, std::vector<JobGrant>& grants) {
    drop_full(deal.hands, taken);
    drop_full(hands_of_all, taken);
    if (deal.jobs.empty() || (deal.hands.empty() && hands_of_all.empty())) return false;
    const auto rank = [&](const std::deque<PollId>& hands) {
        const auto had = taken.find(hands.front());
        return std::pair(had == taken.end() ? 0 : had->second, hands.front());
    };
    const bool is_for_all =
        deal.hands.empty() || (!hands_of_all.empty() && rank(hands_of_all) < rank(deal.hands));
    std::deque<PollId>& hands = is_for_all ? hands_of_all : deal.hands;
    const PollId hand = hands.front();
    hands.pop_front();
    hands.push_back(hand);

    const PollJobs& request = waiters_.at(hand).request;
    grants.push_back({.job = deal.jobs.front(),
                      .waiter = hand,
                      .worker_id = request.worker_id,
                      .lease_duration = request.lease_duration});
    deal.jobs.pop_front();
    taken[hand] += 1;
    return true;
}

void JobBroker::drop_full(std::deque<PollId>& hands, const std::map<PollId, std::int32_t>& taken) {
    const auto is_full = [&](PollId id) MILLRACE_REQUIRES(mutex_) {
        const auto had = taken.find(id);
        return had != taken.end() && had->second >= waiters_.at(id).request.jobs_max;
    };
    while (!hands.empty() && is_full(hands.front())) hands.pop_front();
}

void JobBroker::deliver(std::span<const JobGrant> grants, std::vector<DeliveredJob> jobs) {
    MILLRACE_CHECK(grants.size() == jobs.size());
    std::map<PollId, std::vector<DeliveredJob>> by_poll;
    for (std::size_t i = 0; i < grants.size(); ++i) {
        by_poll[grants[i].waiter].push_back(std::move(jobs[i]));
    }
    Answers answers;
    std::vector<DeliveredJob> surplus;
    {
        const MutexLock lock(mutex_);
        for (auto& [id, poll_jobs] : by_poll) {
            take_surplus(poll_jobs, waiters_.at(id).request.bytes_max, surplus);
            answer(id, std::move(poll_jobs), answers);
        }
    }
    send(std::move(answers));
    if (!surplus.empty()) offer_again(surplus);
}

void JobBroker::give_back(std::span<const JobGrant> grants) {
    Answers answers;
    {
        const MutexLock lock(mutex_);
        for (const JobGrant& grant : grants) {
            const auto found = waiters_.find(grant.waiter);
            if (found == waiters_.end() || found->second.place != Place::reserved) continue;
            if (found->second.is_abandoned || is_draining_) {
                answer(grant.waiter, std::vector<DeliveredJob>{}, answers);
            } else if (announced_since(found->second)) {
                want(grant.waiter, found->second);
            } else {
                park(grant.waiter, found->second);
            }
        }
    }
    send(std::move(answers));
    wake_();
}

}  // namespace millrace
