#include "dispatch/job_broker.hpp"

#include <algorithm>
#include <iterator>

#include "base/check.hpp"
#include "core/limits.hpp"
#include "dispatch/undo_claim.hpp"

namespace millrace {

namespace {

// Under which the hints and the parked polls of one type of a request stand.
WaitingType key_of(const PollJobs& request, const JobType& type) {
    return request.workspace_id ? WaitingType{*request.workspace_id, type} : anywhere(type);
}

}  // namespace

std::size_t JobBroker::Waiter::room() const {
    const auto jobs_max = static_cast<std::size_t>(request.jobs_max);
    const bool is_full = jobs.size() >= jobs_max || bytes >= request.bytes_max;
    return is_abandoned || is_full ? 0 : jobs_max - jobs.size();
}

JobBroker::JobBroker(JobClaimer& claimer, CommandQueue& queue, DispatchListener& listener,
                     const Clock& clock, Config config, std::function<void()> wake)
    : claimer_(claimer),
      queue_(queue),
      listener_(listener),
      clock_(clock),
      config_(config),
      wake_(std::move(wake)),
      backlog_(config.pace) {}

JobBroker::PollId JobBroker::poll(PollJobs request, Done done) {
    Answers answers;
    bool should_wake = false;
    PollId id = 0;
    {
        const MutexLock lock(mutex_);
        id = ++last_id_;
        const Instant now = clock_.now();
        const bool is_full = waiters_.size() >= limits::kWaitingPollsMax;
        note_asked(request, now);
        Waiter& waiter = waiters_[id];
        waiter.deadline = now + request.wait_duration;
        waiter.request = std::move(request);
        waiter.done = std::move(done);
        if (is_full) {
            answer(id, Error{ErrorCode::limit_exceeded, "Too many polls wait for jobs."}, answers);
        } else if (is_draining_) {
            answer(id, std::vector<DeliveredJob>{}, answers);
        } else if (std::ranges::any_of(waiter.request.job_types,
                                       [&](const JobType& type) MILLRACE_REQUIRES(mutex_) {
                                           return is_worth_a_look(waiter.request, type, now);
                                       })) {
            want(id, waiter);
            should_wake = true;
        } else if (waiter.request.wait_duration == Duration::zero()) {
            answer(id, std::vector<DeliveredJob>{}, answers);
        } else {
            park(id, waiter);
            // It may be the first whose wait ends: whoever sleeps until then must know.
            should_wake = deadlines_.begin()->second == id;
        }
    }
    send(std::move(answers));
    if (should_wake) wake_();
    return id;
}

void JobBroker::abandon(PollId id) {
    Answers answers;
    {
        const MutexLock lock(mutex_);
        const auto found = waiters_.find(id);
        if (found == waiters_.end()) return;
        Waiter& waiter = found->second;
        waiter.is_abandoned = true;
        // Jobs may be on their way to it: then whoever brings them finds out.
        const bool is_busy = waiter.place == Place::claiming || waiter.place == Place::reserved;
        if (!is_busy) answer(id, std::vector<DeliveredJob>{}, answers);
    }
    send(std::move(answers));
}

void JobBroker::offer_again(std::span<const DeliveredJob> jobs) {
    std::vector<std::unique_ptr<Command>> commands;
    for (const DeliveredJob& delivered : jobs) {
        // Whatever comes of it: should it fail, the lease runs out.
        commands.push_back(CommandQueue::make_command(
            UndoClaim{delivered.job.key, delivered.job.lease_token}, [](const Result<bool>&) {}));
    }
    queue_.push(std::move(commands));
}

void JobBroker::drain() {
    Answers answers;
    {
        const MutexLock lock(mutex_);
        is_draining_ = true;
        std::vector<PollId> idle;
        for (const auto& [id, waiter] : waiters_) {
            if (waiter.place == Place::parked || waiter.place == Place::wanting) idle.push_back(id);
        }
        for (const PollId id : idle) answer(id, std::vector<DeliveredJob>{}, answers);
    }
    send(std::move(answers));
    wake_();
}

std::size_t JobBroker::waiting() const {
    const MutexLock lock(mutex_);
    return waiters_.size();
}

void JobBroker::note_asked(const PollJobs& request, Instant now) {
    // Nobody has so many types: what is forgotten is only the time of a last poll.
    if (last_asked_.size() > limits::kAskedTypesMax) last_asked_.clear();
    for (const JobType& type : request.job_types) {
        last_asked_.insert_or_assign(key_of(request, type), now);
    }
}

WorkersSeen JobBroker::workers_of(const WaitingType& type) const {
    const MutexLock lock(mutex_);
    WorkersSeen seen;
    for (const WaitingType& key : {type, anywhere(type.job_type)}) {
        const auto parked = parked_.find(key);
        if (parked != parked_.end()) seen.waiting += std::ssize(parked->second);
        const auto asked = last_asked_.find(key);
        if (asked == last_asked_.end()) continue;
        seen.last_seen_at = std::max(seen.last_seen_at.value_or(asked->second), asked->second);
    }
    return seen;
}

void JobBroker::announce(std::span<const WaitingType> waiting) {
    bool somebody_wants = false;
    {
        const MutexLock lock(mutex_);
        for (const WaitingType& type : waiting) {
            backlog_.note_waiting(type);
            somebody_wants = want_parked(type) || somebody_wants;
            somebody_wants = want_parked(anywhere(type.job_type)) || somebody_wants;
        }
    }
    if (somebody_wants) wake_();
}

// Of a type that nobody has asked for here, nothing need be known.
void JobBroker::hear(std::span<const WaitingType> waiting) {
    std::vector<WaitingType> known;
    {
        const MutexLock lock(mutex_);
        std::ranges::copy_if(waiting, std::back_inserter(known),
                             [&](const WaitingType& type) MILLRACE_REQUIRES(mutex_) {
                                 return is_asked_for(type) || is_asked_for(anywhere(type.job_type));
                             });
    }
    announce(known);
}

void JobBroker::hear_of_anything() {
    {
        const MutexLock lock(mutex_);
        backlog_.note_waiting_anywhere();
        while (!parked_.empty()) want_parked(WaitingType(parked_.begin()->first));
    }
    wake_();
}

void JobBroker::set_hinted(bool is_hinted) {
    {
        const MutexLock lock(mutex_);
        if (is_hinted_ == is_hinted) return;
        is_hinted_ = is_hinted;
        backlog_.set_hinted(is_hinted);
        recheck_at_ = clock_.now();
    }
    wake_();
}

// Where others write too, "nothing is there" is soon out of date, and who does not wait is told
// the truth.
bool JobBroker::is_worth_a_look(const PollJobs& request, const JobType& type, Instant now) const {
    const WaitingType key = key_of(request, type);
    const bool is_outdated = config_.is_shared && (request.wait_duration == Duration::zero() ||
                                                   backlog_.look_again_at(key) <= now);
    return is_outdated || backlog_.may_have(key);
}

bool JobBroker::is_asked_for(const WaitingType& type) const {
    return backlog_.knows(type) || parked_.contains(type);
}

// Whether somebody was parked there.
bool JobBroker::want_parked(const WaitingType& type) {
    const auto parked = parked_.find(type);
    if (parked == parked_.end()) return false;
    for (const PollId id : std::vector(parked->second.begin(), parked->second.end())) {
        Waiter& waiter = waiters_.at(id);
        leave_place(id, waiter);
        want(id, waiter);
    }
    return true;
}

void JobBroker::want(PollId id, Waiter& waiter) {
    waiter.place = Place::wanting;
    wanting_.insert(id);
}

void JobBroker::park(PollId id, Waiter& waiter) {
    waiter.place = Place::parked;
    deadlines_.emplace(waiter.deadline, id);
    for (const JobType& type : waiter.request.job_types) {
        const WaitingType key = key_of(waiter.request, type);
        parked_[key].insert(id);
        recheck_at_ = std::min(recheck_at_, backlog_.look_again_at(key));
    }
}

void JobBroker::leave_place(PollId id, const Waiter& waiter) {
    if (waiter.place == Place::wanting) wanting_.erase(id);
    if (waiter.place != Place::parked) return;
    deadlines_.erase({waiter.deadline, id});
    for (const JobType& type : waiter.request.job_types) {
        const auto parked = parked_.find(key_of(waiter.request, type));
        if (parked == parked_.end()) continue;
        parked->second.erase(id);
        if (parked->second.empty()) parked_.erase(parked);
    }
}

void JobBroker::answer(PollId id, Result<std::vector<DeliveredJob>> jobs, Answers& answers) {
    const auto found = waiters_.find(id);
    MILLRACE_CHECK(found != waiters_.end());
    Waiter& waiter = found->second;
    leave_place(id, waiter);
    answers.push_back({std::move(waiter.done), std::move(jobs), waiter.is_abandoned});
    waiters_.erase(found);
}

void JobBroker::send(Answers answers) {
    const Instant now = clock_.now();
    for (Answer& each : answers) {
        if (each.is_abandoned) {
            if (each.jobs && !each.jobs->empty()) offer_again(*each.jobs);
            each.jobs = std::vector<DeliveredJob>{};
        } else if (each.jobs && each.jobs->empty() && each.is_outrun) {
            listener_.on_claim_conflict();
        } else if (each.jobs && each.jobs->empty()) {
            listener_.on_empty_poll();
        } else if (each.jobs) {
            listener_.on_delivered(*each.jobs, now);
        }
        each.done(std::move(each.jobs));
    }
}

}  // namespace millrace
