#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "base/clock.hpp"
#include "base/mutex.hpp"
#include "base/round.hpp"
#include "commit/command_queue.hpp"
#include "commit/job_demand.hpp"
#include "core/explain/explain_instance.hpp"
#include "core/limits.hpp"
#include "dispatch/backlog.hpp"
#include "dispatch/recent_releases.hpp"
#include "dispatch/turns.hpp"
#include "store/job_claimer.hpp"

namespace millrace {

struct PollJobs {
    std::optional<WorkspaceId> workspace_id{};  // Empty: all of them, in turn.
    WorkerId worker_id{};
    std::vector<JobType> job_types{};
    std::int32_t jobs_max = 1;
    Duration lease_duration{};
    Duration wait_duration{};  // Zero: answer with what there is.
    // Of variables in the answer: the job that reaches it is the last one.
    std::int64_t bytes_max = limits::kPollBytesMax;
};

// What the broker tells of its work, for metrics.
class DispatchListener {
public:
    virtual ~DispatchListener() = default;

    // Jobs go out to a worker, with their leases.
    virtual void on_delivered(std::span<const DeliveredJob> jobs, Instant now) = 0;
    // A claim statement has had its answer.
    virtual void on_claimed(Duration duration) = 0;
    // A poll goes home with nothing, for there is nothing.
    virtual void on_empty_poll() = 0;
    // A poll goes home with nothing although jobs that it could have had were waiting: others were
    // faster. Not told of as an empty poll.
    virtual void on_claim_conflict() = 0;
    // So many types are looked at again although nothing was heard of them. By default nobody wants
    // to know.
    virtual void on_rechecked(std::size_t /*type_count*/) {}
    // A claim has failed, and nobody knows whether it took effect: there may be leases by now that
    // no worker has.
    virtual void on_claim_failed(Instant /*now*/) {}
};

// Brings jobs and those who wait for them together. Fresh jobs go to waiting polls as part of the
// commit that makes them (JobDemand); only backlog is claimed by statement, in rounds that serve
// all who want it. Between polls of one type jobs are dealt in turn, first come first served,
// whether they ask for one workspace or for all. A poll for all is served by the workspaces in turn
// (Turns), so that none of them is kept waiting by the long line of another.
//
// Variables can be large: an answer ends with the job that reaches PollJobs::bytes_max, and a
// round of claims at limits::kClaimRoundBytesMax. What is not claimed waits for the next round.
//
// A poll is in one of four places: wanting (the next round claims for it), claiming (the round
// under way does), parked (nothing is there; fresh jobs may come), reserved (a batch under way will
// bring it jobs). Thread-safe; callbacks run without the mutex.
class JobBroker final : public JobDemand {
public:
    using PollId = std::uint64_t;
    using Done = std::function<void(Result<std::vector<DeliveredJob>>)>;

    struct Config {
        // On a store that others write to as well, "there is no backlog" is only a guess.
        bool is_shared = false;
        Backlog::Pace pace{};
    };

    // `wake` is called when run_once should be, on any thread.
    JobBroker(JobClaimer& claimer, CommandQueue& queue, DispatchListener& listener,
              const Clock& clock, Config config, std::function<void()> wake);

    // `done` is called exactly once, on any thread, perhaps before poll returns. Too many waiting
    // polls: limit_exceeded at once.
    PollId poll(PollJobs request, Done done);

    // The client is gone: nothing is delivered any more, and what was claimed for it is offered
    // again at once. Also after its answer, with jobs that could not be sent.
    void abandon(PollId id);
    void offer_again(std::span<const DeliveredJob> jobs);

    // This worker releases this job: for a while it is offered to others only, as far as this
    // process hands it out. To be called before the release is committed, and again after it, with
    // the type: then who waits for nothing else gets it at the end of that time.
    void pass_over(const JobKey& job, const JobType& type, const WorkerId& worker_id);

    // Answers all that wait with nothing, and everybody who comes later at once.
    void drain();

    // One round of claims for all who want backlog, and the ends of their waits.
    Round run_once();

    std::size_t waiting() const;

    // Who asks for jobs of a type here, and when somebody last did: for explanations.
    WorkersSeen workers_of(const WaitingType& type) const;

    // Another replica has committed jobs of these types unclaimed: those who wait for them here
    // should claim them.
    void hear(std::span<const WaitingType> waiting);
    // The same for types that nobody can name.
    void hear_of_anything();
    // Whether such news come in. Without them the broker looks more often by itself. Not so at
    // first.
    void set_hinted(bool is_hinted);

    std::vector<JobGrant> reserve(std::span<const OfferedJob> offered) override;
    void deliver(std::span<const JobGrant> grants, std::vector<DeliveredJob> jobs) override;
    void give_back(std::span<const JobGrant> grants) override;
    void announce(std::span<const WaitingType> waiting) override;

private:
    enum class Place { wanting, claiming, parked, reserved };

    struct Waiter {
        PollJobs request{};
        Done done{};
        Place place = Place::wanting;
        Instant deadline{};
        bool is_abandoned = false;
        std::vector<DeliveredJob> jobs{};  // Claimed for it in the round under way.
        std::int64_t bytes = 0;            // Of their variables.
        // Of a poll for all workspaces: what it may take from those whose turn it is.
        std::map<WaitingType, std::size_t> shares{};

        std::size_t room() const;
    };

    struct Answer {
        Done done{};
        Result<std::vector<DeliveredJob>> jobs;
        bool is_abandoned = false;
        bool is_outrun = false;  // It gets nothing because others were faster.
    };
    using Answers = std::vector<Answer>;

    // job_broker.cpp
    bool is_worth_a_look(const PollJobs& request, const JobType& type, Instant now) const
        MILLRACE_REQUIRES(mutex_);
    void note_asked(const PollJobs& request, Instant now) MILLRACE_REQUIRES(mutex_);
    bool want_parked(const WaitingType& type) MILLRACE_REQUIRES(mutex_);
    bool is_asked_for(const WaitingType& type) const MILLRACE_REQUIRES(mutex_);
    void want(PollId id, Waiter& waiter) MILLRACE_REQUIRES(mutex_);
    void park(PollId id, Waiter& waiter) MILLRACE_REQUIRES(mutex_);
    void leave_place(PollId id, const Waiter& waiter) MILLRACE_REQUIRES(mutex_);
    void answer(PollId id, Result<std::vector<DeliveredJob>> jobs, Answers& answers)
        MILLRACE_REQUIRES(mutex_);
    void send(Answers answers);

    // reserve_jobs.cpp
    struct Deal;
    std::vector<Deal> deals_of(std::span<const OfferedJob> offered) MILLRACE_REQUIRES(mutex_);
    bool deal_one(Deal& deal, std::deque<PollId>& hands_of_all,
                  std::map<PollId, std::int32_t>& taken, std::vector<JobGrant>& grants)
        MILLRACE_REQUIRES(mutex_);
    void drop_full(std::deque<PollId>& hands, const std::map<PollId, std::int32_t>& taken)
        MILLRACE_REQUIRES(mutex_);

    // passing_over.cpp
    void end_releases(Instant now) MILLRACE_REQUIRES(mutex_);
    std::vector<std::vector<PollId>> by_releases(const std::vector<PollId>& polls) const
        MILLRACE_REQUIRES(mutex_);
    bool has_released(const Waiter& waiter) const MILLRACE_REQUIRES(mutex_);
    std::vector<JobId> releases_of(const std::vector<PollId>& polls) const
        MILLRACE_REQUIRES(mutex_);

    // claim_round.cpp
    void end_overdue(Instant now, Answers& answers) MILLRACE_REQUIRES(mutex_);
    std::size_t recheck(Instant now) MILLRACE_REQUIRES(mutex_);
    std::vector<PollId> begin_round() MILLRACE_REQUIRES(mutex_);
    std::set<WaitingType> types_of(const std::vector<PollId>& polls, Instant now) const
        MILLRACE_REQUIRES(mutex_);
    Status claim_for(const std::vector<PollId>& polls, std::set<WaitingType> types, Instant now);
    std::vector<PollId> slots(const WaitingType& type, const std::vector<PollId>& polls) const
        MILLRACE_REQUIRES(mutex_);
    Status claim_type(const WaitingType& type, const std::vector<PollId>& polls);
    void note_empty(const WaitingType& type, const std::vector<PollId>& polls,
                    std::uint64_t generation) MILLRACE_REQUIRES(mutex_);
    Result<bool> claim_once(const WaitingType& type, const std::vector<PollId>& polls,
                            std::int64_t seq_after);
    bool is_round_full() const MILLRACE_REQUIRES(mutex_);
    static bool is_out_of_patience(const Waiter& waiter, Instant now);
    void end_round(const std::vector<PollId>& polls, const Status& status, Instant now,
                   Answers& answers) MILLRACE_REQUIRES(mutex_);
    bool announced_since(const Waiter& waiter) const MILLRACE_REQUIRES(mutex_);
    bool is_outrun(const Waiter& waiter) const MILLRACE_REQUIRES(mutex_);
    std::optional<Instant> next_at() const MILLRACE_REQUIRES(mutex_);

    // turns_of_all.cpp: polls for all workspaces.
    std::map<JobType, std::uint64_t> types_of_all(const std::vector<PollId>& polls) const
        MILLRACE_REQUIRES(mutex_);
    Status scan(const std::set<JobType>& types);
    bool share_out(const std::vector<PollId>& polls, std::set<WaitingType>& types)
        MILLRACE_REQUIRES(mutex_);
    std::set<JobType> types_of_empty_hands(const std::vector<PollId>& polls) const
        MILLRACE_REQUIRES(mutex_);

    JobClaimer& claimer_;
    CommandQueue& queue_;
    DispatchListener& listener_;
    const Clock& clock_;
    const Config config_;
    std::function<void()> wake_;

    mutable Mutex mutex_;
    std::map<PollId, Waiter> waiters_ MILLRACE_GUARDED_BY(mutex_);
    std::set<PollId> wanting_ MILLRACE_GUARDED_BY(mutex_);
    std::map<WaitingType, std::set<PollId>> parked_ MILLRACE_GUARDED_BY(mutex_);
    std::set<std::pair<Instant, PollId>> deadlines_ MILLRACE_GUARDED_BY(mutex_);  // Of the parked.
    Backlog backlog_ MILLRACE_GUARDED_BY(mutex_);
    Turns turns_ MILLRACE_GUARDED_BY(mutex_);
    RecentReleases releases_ MILLRACE_GUARDED_BY(mutex_);
    std::uint64_t claimed_ MILLRACE_GUARDED_BY(mutex_) = 0;  // Jobs, ever.
    // In the round under way: types whose waiting jobs others had locked, and what the variables of
    // all claimed jobs take.
    std::set<WaitingType> outrun_ MILLRACE_GUARDED_BY(mutex_);
    std::int64_t round_bytes_ MILLRACE_GUARDED_BY(mutex_) = 0;
    PollId last_id_ MILLRACE_GUARDED_BY(mutex_) = 0;
    std::map<WaitingType, Instant> last_asked_ MILLRACE_GUARDED_BY(mutex_);
    // No parked type is worth a look before.
    Instant recheck_at_ MILLRACE_GUARDED_BY(mutex_) = Instant::max();
    bool is_hinted_ MILLRACE_GUARDED_BY(mutex_) = false;
    bool is_draining_ MILLRACE_GUARDED_BY(mutex_) = false;
};

}  // namespace millrace
