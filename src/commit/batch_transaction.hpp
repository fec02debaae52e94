#pragma once

#include <utility>
#include <vector>

#include "base/clock.hpp"
#include "commit/commit_listener.hpp"
#include "commit/effects_size.hpp"
#include "commit/fresh_jobs.hpp"
#include "core/limits.hpp"
#include "store/batch_store.hpp"

namespace millrace {

// One try of a batch: loads its rows, decides its commands up to a budget, applies their effects.
// Belongs to one committer, which uses it for all its tries.
class BatchTransaction {
public:
    BatchTransaction(BatchStore& store, JobDemand& demand, CommitListener& listener,
                     const Clock& clock, std::int64_t command_work_max)
        : store_(store),
          listener_(listener),
          clock_(clock),
          command_work_max_(command_work_max),
          fresh_jobs_(demand) {}

    // Tries these. The tickets that the budgets leave over, of bytes to load and of deciding, are
    // moved out of them: see undecided. The first one is always tried.
    Status run(std::vector<Ticket>& tickets);
    std::vector<Ticket> take_undecided() { return std::exchange(undecided_, {}); }

    // What the latest try has prepared, until it is known whether it is committed.
    const Writes& writes() const { return writes_; }
    FreshJobs& fresh_jobs() { return fresh_jobs_; }
    // It is known, and all have been told.
    void forget() { writes_ = {}; }

    Instant began_at() const { return began_at_; }
    Instant decided_at() const { return decided_at_; }  // When its rows were loaded.

private:
    // What deciding has cost so far.
    struct Spent {
        std::int64_t work = 0;
        RowsSize size{};
        std::int64_t definition_bytes = 0;  // Of those that were asked for meanwhile.
        Instant began_at{};

        bool is_over(Instant now) const;
    };

    // `is_waiting` says of each ticket whether its rows were left out of the load.
    Status decide_all(std::vector<Ticket>& tickets, const std::vector<bool>& is_waiting,
                      WorkingSet& rows, std::int64_t bytes_each, Instant now);
    // Moves those out that were not decided.
    void set_undecided(std::vector<Ticket>& tickets, const std::vector<bool>& is_decided);
    // What it writes, and what it loads while it is decided.
    Result<RowsSize> decide(Ticket& ticket, WorkingSet& rows, Instant now, Spent& spent);
    void tell_of_unreadable(const LoadedRows& loaded);

    BatchStore& store_;
    CommitListener& listener_;
    const Clock& clock_;
    const std::int64_t command_work_max_;

    Writes writes_;
    FreshJobs fresh_jobs_;
    std::vector<Ticket> undecided_;
    Instant began_at_{};
    Instant decided_at_{};
};

}  // namespace millrace
