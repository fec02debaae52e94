#include <algorithm>

#include "core/limits.hpp"
#include "dispatch/job_broker.hpp"

namespace millrace {

namespace {

// Others were faster everywhere, or jobs come and go: it is for the next round.
constexpr int kPassesInVainMax = 8;
// So long a poll that does not wait stays for further rounds when one was full without it.
constexpr Duration kFullRoundsPatience = std::chrono::seconds{1};

}  // namespace

Round JobBroker::run_once() {
    Answers answers;
    std::vector<PollId> polls;
    std::set<WaitingType> types;
    std::size_t rechecked = 0;
    {
        const MutexLock lock(mutex_);
        const Instant now = clock_.now();
        end_overdue(now, answers);
        end_releases(now);
        rechecked = recheck(now);
        polls = begin_round();
        types = types_of(polls, now);
    }
    send(std::exchange(answers, {}));
    if (rechecked > 0) listener_.on_rechecked(rechecked);

    const Status status = claim_for(polls, std::move(types), clock_.now());
    Round round{.progressed = !polls.empty(), .unhealthy = !status};
    {
        const MutexLock lock(mutex_);
        end_round(polls, status, clock_.now(), answers);
        round.next_at = next_at();
    }
    send(std::move(answers));
    return round;
}

void JobBroker::end_overdue(Instant now, Answers& answers) {
    std::vector<PollId> overdue;
    for (const auto& [deadline, id] : deadlines_) {
        if (deadline > now) break;
        overdue.push_back(id);
    }
    for (const PollId id : overdue) answer(id, std::vector<DeliveredJob>{}, answers);
}

// Jobs that another process has committed come with a hint, if at all: look now and then, at the
// pace of each type. Tells for how many types it is time.
std::size_t JobBroker::recheck(Instant now) {
    if (!config_.is_shared || recheck_at_ > now) return 0;
    recheck_at_ = Instant::max();
    std::vector<WaitingType> due;
    for (const auto& [type, polls] : parked_) {
        const Instant at = backlog_.look_again_at(type);
        if (at <= now) {
            due.push_back(type);
        } else {
            recheck_at_ = std::min(recheck_at_, at);
        }
    }
    for (const WaitingType& type : due) want_parked(type);
    return due.size();
}

std::vector<JobBroker::PollId> JobBroker::begin_round() {
    std::vector<PollId> polls(wanting_.begin(), wanting_.end());
    wanting_.clear();
    outrun_.clear();
    round_bytes_ = 0;
    for (const PollId id : polls) waiters_.at(id).place = Place::claiming;
    return polls;
}

std::set<WaitingType> JobBroker::types_of(const std::vector<PollId>& polls, Instant now) const {
    std::set<WaitingType> types;
    for (const PollId id : polls) {
        const PollJobs& request = waiters_.at(id).request;
        if (!request.workspace_id) continue;
        for (const JobType& type : request.job_types) {
            if (is_worth_a_look(request, type, now)) types.insert({*request.workspace_id, type});
        }
    }
    return types;
}

// First what polls of one workspace ask for, together with the first turns of those for all; then
// further turns, as long as hands are empty and jobs are found. The store is asked where there are
// jobs when that is not known, and by hands that would stay empty where others write as well.
Status JobBroker::claim_for(const std::vector<PollId>& polls, std::set<WaitingType> types,
                            Instant now) {
    std::map<JobType, std::uint64_t> of_all;
    std::set<JobType> to_scan;
    std::vector<std::vector<PollId>> groups;
    {
        const MutexLock lock(mutex_);
        groups = by_releases(polls);
        of_all = types_of_all(polls);
        for (const auto& [type, generation] : of_all) {
            const bool is_old = config_.is_shared && backlog_.scan_again_at(type) <= now;
            if (is_old || !backlog_.is_scanned(type)) to_scan.insert(type);
        }
    }
    std::set<JobType> scanned;
    Status status = ok();
    for (int in_vain = 0; in_vain < kPassesInVainMax;) {
        if (!to_scan.empty()) status = scan(to_scan);
        if (!status) break;
        scanned.merge(to_scan);
        std::uint64_t before = 0;
        bool has_turns = false;
        {
            const MutexLock lock(mutex_);
            has_turns = share_out(polls, types);
            before = claimed_;
        }
        for (const WaitingType& type : types) {
            for (const std::vector<PollId>& alike : groups) {
                const Status claimed = claim_type(type, alike);
                if (!claimed) status = claimed;
            }
        }
        if (!status) break;
        types.clear();
        const MutexLock lock(mutex_);
        if (is_round_full()) break;
        in_vain = claimed_ != before ? 0 : in_vain + 1;
        to_scan.clear();
        if (in_vain == 0) continue;
        to_scan = types_of_empty_hands(polls);
        if (to_scan.empty()) break;
        // On a store of our own there is nothing to find out unless we were wrong about somebody.
        std::erase_if(to_scan, [&](const JobType& type) MILLRACE_REQUIRES(mutex_) {
            const bool is_worth_it = config_.is_shared || backlog_.is_ready_anywhere(type);
            return scanned.contains(type) || !is_worth_it;
        });
        if (to_scan.empty() && !has_turns) break;
    }
    const MutexLock lock(mutex_);
    for (const auto& [type, generation] : of_all) {
        const bool is_known =
            status && backlog_.is_scanned(type) && (!config_.is_shared || scanned.contains(type));
        if (is_known && !backlog_.is_ready_anywhere(type)) {
            backlog_.note_empty(anywhere(type), generation, clock_.now());
        }
    }
    return status;
}

// The first job in line for the first poll, the second for the second, and around again until all
// hands are full.
std::vector<JobBroker::PollId> JobBroker::slots(const WaitingType& type,
                                                const std::vector<PollId>& polls) const {
    if (is_round_full()) return {};
    std::vector<std::pair<PollId, std::size_t>> hands;
    for (const PollId id : polls) {
        const Waiter& waiter = waiters_.at(id);
        const PollJobs& request = waiter.request;
        std::size_t room = 0;
        if (!request.workspace_id) {
            const auto share = waiter.shares.find(type);
            if (share != waiter.shares.end()) room = std::min(waiter.room(), share->second);
        } else if (request.workspace_id == type.workspace_id &&
                   std::ranges::find(request.job_types, type.job_type) != request.job_types.end()) {
            room = waiter.room();
        }
        if (room > 0) hands.emplace_back(id, room);
    }
    std::vector<PollId> slots;
    while (!hands.empty() && slots.size() < limits::kBatchItemsMax) {
        for (auto& [id, room] : hands) {
            slots.push_back(id);
            room -= 1;
        }
        std::erase_if(hands, [](const auto& hand) { return hand.second == 0; });
    }
    slots.resize(std::min(slots.size(), limits::kBatchItemsMax));
    return slots;
}

Status JobBroker::claim_type(const WaitingType& type, const std::vector<PollId>& polls) {
    for (;;) {
        std::uint64_t generation = 0;
        std::int64_t mark = 0;
        {
            const MutexLock lock(mutex_);
            generation = backlog_.generation(type);
            mark = backlog_.mark(type, clock_.now());
        }
        const Result<bool> is_filled = claim_once(type, polls, mark);
        if (!is_filled) return is_filled.error();
        if (*is_filled) {
            const MutexLock lock(mutex_);
            if (slots(type, polls).empty()) return ok();
            continue;
        }
        {
            const MutexLock lock(mutex_);
            if (!backlog_.should_look_from_start(type, clock_.now())) {
                note_empty(type, polls, generation);
                return ok();
            }
        }
        const Result<bool> from_start = claim_once(type, polls, 0);
        if (!from_start) return from_start.error();
        if (*from_start) continue;
        const MutexLock lock(mutex_);
        note_empty(type, polls, generation);
        return ok();
    }
}

// Not by polls that pass over what others could take.
void JobBroker::note_empty(const WaitingType& type, const std::vector<PollId>& polls,
                           std::uint64_t generation) {
    if (releases_of(polls).empty()) backlog_.note_empty(type, generation, clock_.now());
}

// Whether there was a job for every slot, or for as many as it may: then there may be more.
Result<bool> JobBroker::claim_once(const WaitingType& type, const std::vector<PollId>& polls,
                                   std::int64_t seq_after) {
    ClaimJobs request{
        .workspace_id = type.workspace_id,
        .job_type = type.job_type,
        .seq_after = seq_after,
        .now = [this] { return clock_.now(); },
    };
    std::vector<PollId> takers;
    {
        const MutexLock lock(mutex_);
        takers = slots(type, polls);
        for (const PollId id : takers) {
            const Waiter& taker = waiters_.at(id);
            request.slots.push_back({taker.request.worker_id, taker.request.lease_duration});
            request.bytes_max = std::min(request.bytes_max, taker.request.bytes_max - taker.bytes);
        }
        request.passed_over = releases_of(takers);
    }
    if (takers.empty()) return true;
    const Instant began = clock_.now();
    Result<std::vector<DeliveredJob>> claimed = claimer_.claim_jobs(request);
    listener_.on_claimed(clock_.now() - began);
    if (!claimed) {
        listener_.on_claim_failed(clock_.now());
        return claimed.error();
    }

    const MutexLock lock(mutex_);
    if (claimer_.others_were_faster()) outrun_.insert(type);
    if (!claimed->empty()) backlog_.note_claimed(type, claimed->back().job.seq, clock_.now());
    claimed_ += claimed->size();
    const std::int64_t bytes = variables_bytes(*claimed);
    round_bytes_ += bytes;
    for (std::size_t i = 0; i < claimed->size(); ++i) {
        Waiter& taker = waiters_.at(takers[i]);
        taker.bytes += std::ssize((*claimed)[i].variables.text());
        taker.jobs.push_back(std::move((*claimed)[i]));
        if (!taker.request.workspace_id) taker.shares.at(type) -= 1;
    }
    return claimed->size() == takers.size() || bytes >= request.bytes_max;
}

bool JobBroker::is_round_full() const {
    return round_bytes_ >= limits::kClaimRoundBytesMax;
}

// A poll that waits is answered at the end of its wait, however many are before it.
bool JobBroker::is_out_of_patience(const Waiter& waiter, Instant now) {
    const bool is_waiting = waiter.request.wait_duration > Duration::zero();
    return waiter.deadline + (is_waiting ? Duration::zero() : kFullRoundsPatience) <= now;
}

void JobBroker::end_round(const std::vector<PollId>& polls, const Status& status, Instant now,
                          Answers& answers) {
    for (const PollId id : polls) {
        Waiter& waiter = waiters_.at(id);
        const bool is_over = waiter.deadline <= now || waiter.is_abandoned || is_draining_;
        const bool is_sent_home = waiter.is_abandoned || is_draining_;
        if (!waiter.jobs.empty()) {
            answer(id, std::move(waiter.jobs), answers);
        } else if (is_round_full() && !is_sent_home && !is_out_of_patience(waiter, now)) {
            want(id, waiter);  // There may be jobs for it that this round could not hold.
        } else if (is_over && !status && !waiter.is_abandoned && !is_draining_) {
            answer(id, status.error(), answers);
        } else if (is_over) {
            const bool was_outrun = is_round_full() || is_outrun(waiter);
            answer(id, std::vector<DeliveredJob>{}, answers);
            answers.back().is_outrun = was_outrun;
        } else if (!status || (announced_since(waiter) && !has_released(waiter))) {
            want(id, waiter);
        } else {
            park(id, waiter);
        }
    }
}

// Jobs that were committed while the round or the batch was under way are still there.
bool JobBroker::announced_since(const Waiter& waiter) const {
    return std::ranges::any_of(
        waiter.request.job_types, [&](const JobType& type) MILLRACE_REQUIRES(mutex_) {
            return backlog_.may_have({waiter.request.workspace_id.value_or(WorkspaceId{}), type});
        });
}

// Locked by others while it looked, or committed since.
bool JobBroker::is_outrun(const Waiter& waiter) const {
    const PollJobs& request = waiter.request;
    const bool was_locked = std::ranges::any_of(outrun_, [&](const WaitingType& type) {
        const bool is_here = !request.workspace_id || request.workspace_id == type.workspace_id;
        return is_here &&
               std::ranges::find(request.job_types, type.job_type) != request.job_types.end();
    });
    return was_locked || announced_since(waiter);
}

std::optional<Instant> JobBroker::next_at() const {
    std::optional<Instant> next;
    if (!deadlines_.empty()) next = deadlines_.begin()->first;
    if (config_.is_shared && !parked_.empty()) {
        next = next ? std::min(*next, recheck_at_) : recheck_at_;
    }
    if (const auto end = releases_.next_end()) next = next ? std::min(*next, *end) : *end;
    return next;
}

}  // namespace millrace
