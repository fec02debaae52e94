#pragma once

#include <deque>
#include <vector>

#include "base/clock.hpp"
#include "commit/command_queue.hpp"
#include "commit/commit_listener.hpp"
#include "commit/job_demand.hpp"
#include "store/batch_store.hpp"

namespace millrace {

// Turns waiting commands into commits, many at a time: takes everything that waits, loads all rows,
// decides each command in memory, applies all effects at once, then answers. An idle committer
// commits a single command immediately; a busy one finds more waiting the next time. No timers.
//
// Passive: a thread of src/runtime, a test or the simulator calls run_once.
class Committer {
public:
    enum class Round {
        idle,        // Nothing waited.
        progressed,  // Call again at once.
        unhealthy,   // The store failed; call again after a pause. What has tries left is kept.
    };

    Committer(BatchStore& store, CommandQueue& queue, JobDemand& demand, CommitListener& listener,
              const Clock& clock)
        : store_(store), queue_(queue), demand_(demand), listener_(listener), clock_(clock) {}

    Round run_once();

private:
    using Batch = std::vector<Ticket>;

    // What a batch has prepared and keeps until it is known whether it is committed.
    struct Prepared {
        Writes writes{};
        std::vector<JobGrant> grants{};
        std::vector<DeliveredJob> jobs_granted{};
        std::vector<WaitingType> jobs_waiting{};
    };

    Status attempt(Batch& batch);
    Status transact(Batch& batch);
    Status decide_all(Batch& batch, WorkingSet& rows, Instant now);
    Status decide(Ticket& ticket, WorkingSet& rows, Instant now);
    void tell_of_unreadable(const LoadedRows& loaded);
    void claim_fresh_jobs(Instant now);
    Status settle(Batch& batch);
    void isolate_poison(const Error& error);
    void end_front(const Status& status);
    void tell_of_doubt();
    void hand_out_jobs();
    void take_jobs_back();

    BatchStore& store_;
    CommandQueue& queue_;
    JobDemand& demand_;
    CommitListener& listener_;
    const Clock& clock_;

    std::deque<Batch> batches_;    // What was taken and is not answered yet; more than one while
                                   // a poisoned batch is being halved. The front one is next.
    std::vector<Id128> holds_;     // All instances of what was taken.
    Prepared prepared_;            // Of the front batch.
    bool front_in_doubt_ = false;  // Its commit may or may not have happened.
    int front_tries_ = 0;
    Instant taken_at_{};
    Instant began_at_{};    // The latest try of the front batch,
    Instant decided_at_{};  // and when it had its rows.
};

}  // namespace millrace
