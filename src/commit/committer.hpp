#pragma once

#include <deque>
#include <span>
#include <vector>

#include "base/clock.hpp"
#include "base/round.hpp"
#include "commit/batch_transaction.hpp"
#include "commit/command_queue.hpp"
#include "commit/commit_listener.hpp"
#include "core/limits.hpp"
#include "store/batch_store.hpp"

namespace millrace {

// Turns waiting commands into commits, many at a time: takes everything that waits, loads all rows,
// decides each command in memory, applies all effects at once, then answers. An idle committer
// commits a single command immediately; a busy one finds more waiting the next time. No timers.
//
// A batch stops deciding at a budget of work, rows and bytes, and puts the rest back. One that
// fails is split by what is known of the failure (docs/adr/0014): refused data is halved out, rows
// that others have locked wait apart, known failures of a transaction halve it. It is never split
// while its commit is in doubt or the store is away.
//
// Passive: a thread of src/runtime, a test or the simulator calls run_once.
class Committer {
public:
    // `command_work_max`: what one command may cost to decide, in the units of core/work_meter.hpp.
    Committer(BatchStore& store, CommandQueue& queue, JobDemand& demand, CommitListener& listener,
              const Clock& clock, std::int64_t command_work_max = limits::kCommandWorkMax)
        : store_(store),
          queue_(queue),
          listener_(listener),
          clock_(clock),
          transaction_(store, demand, listener, clock, command_work_max) {}

    // Unhealthy: the store is away; commands that have time left are kept. When none is left, the
    // store is asked until it answers.
    Round run_once();

private:
    using Tickets = std::vector<Ticket>;

    struct Batch {
        Tickets tickets{};
        bool in_doubt = false;     // Its commit may or may not have happened.
        bool looks_first = false;  // Somebody else had its rows: see whether they are free now.
        Unavailable why = Unavailable::away;  // Of the latest failure.
        int known_failures = 0;
        int tries = 0;
    };

    bool take();
    // By a load of nothing, when there is no command to try it with.
    Round ask_store();
    // False when the store is away, and a pause is due.
    bool try_front();
    Status attempt(Batch& batch);
    Status settle(Batch& batch);

    bool react(const Error& error);
    void halve(Batch& batch);
    void note_known_failure(const Error& error);
    void separate_locked(const Error& error);
    void separate_slow(Batch& batch);
    void add_followers(Tickets& leaving);

    void answer(Ticket& ticket, const Status& status, Duration waited);
    void answer_late(Batch& batch, Instant now);
    void answer_waiting(Tickets late);
    void end_front(const Status& status);
    void tell_of_end(std::span<const Ticket> tickets, const Status& status, int tries);

    BatchStore& store_;
    CommandQueue& queue_;
    CommitListener& listener_;
    const Clock& clock_;
    BatchTransaction transaction_;  // The latest try of the front batch.
    std::deque<Batch> batches_;     // What was taken and is not answered yet; more than one while
                                    // a batch is being split. The front one is next.
    Lane lane_ = Lane::request;     // Of what was taken.
    bool is_store_away_ = false;    // As the latest try found it.
};

}  // namespace millrace
