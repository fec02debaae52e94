#include "commit/committer.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include "base/check.hpp"
#include "core/job/transitions.hpp"
#include "core/limits.hpp"

namespace millrace {

namespace {

// The variables that a job of this batch shows: its own snapshot, or its instance's.
const Variables* variables_of(const Job& job, const Writes& writes) {
    if (job.variables) return &*job.variables;
    const InstanceKey key{instance_of(job.key.id), job.key.workspace_id};
    for (const std::vector<Instance>* instances :
         {&writes.instances_new, &writes.instances_changed}) {
        const auto found = std::ranges::lower_bound(*instances, key, {}, &Instance::key);
        if (found != instances->end() && found->key == key) return &found->variables;
    }
    return nullptr;
}

BatchOutcome outcome_of(const Status& status) {
    if (status) return BatchOutcome::committed;
    const bool is_open = status.error().code == ErrorCode::commit_unknown;
    return is_open ? BatchOutcome::unknown : BatchOutcome::aborted;
}

// Whether the command needs a row that cannot be read. Without this it would take it for absent.
bool is_in_the_way(const WorkingSet& rows, const Footprint& asked, const Command& command) {
    return !rows.unreadable().empty() && !command.passes_over_unreadable_rows() &&
           rows.unreadable().concern(asked);
}

Result<Command::Attempt> unreadable_row() {
    return Error{ErrorCode::internal, "A stored row that this needs cannot be read."};
}

// What trying again does not mend: data that the store refuses, or a row that cannot be read.
bool is_poison(ErrorCode code) {
    return code == ErrorCode::data_refused || code == ErrorCode::internal;
}

}  // namespace

Committer::Round Committer::run_once() {
    if (batches_.empty()) {
        CommandQueue::Taken taken = queue_.take();
        if (taken.tickets.empty()) return Round::idle;
        holds_ = std::move(taken.holds);
        batches_.push_back(std::move(taken.tickets));
        taken_at_ = clock_.now();
    }

    bool has_given_up = false;
    while (!batches_.empty()) {
        Batch& batch = batches_.front();
        front_tries_ += 1;
        const Status status = front_in_doubt_ ? settle(batch) : attempt(batch);
        front_in_doubt_ = !status && status.error().code == ErrorCode::commit_unknown;

        if (status) {
            end_front(ok());
        } else if (is_poison(status.error().code)) {
            isolate_poison(status.error());
        } else if (front_tries_ < limits::kCommitTriesMax) {
            return Round::unhealthy;
        } else {
            has_given_up = true;
            end_front(status.error());
        }
    }
    queue_.release(std::exchange(holds_, {}));
    return has_given_up ? Round::unhealthy : Round::progressed;
}

Status Committer::attempt(Batch& batch) {
    const Status status = transact(batch);
    listener_.on_outcome(outcome_of(status));
    return status;
}

// One transaction for the whole batch: load, decide, apply.
Status Committer::transact(Batch& batch) {
    Footprint needed;
    for (const Ticket& ticket : batch) needed.add(ticket.command->rows_needed());
    needed.normalise();

    began_at_ = decided_at_ = clock_.now();
    Result<LoadedRows> loaded = store_.load(needed);
    if (!loaded) return loaded.error();
    WorkingSet rows;
    tell_of_unreadable(*loaded);
    rows.add(needed, std::move(*loaded));

    const Instant now = clock_.now();  // After the locks: no decision is older than its rows.
    decided_at_ = now;
    Status decided = decide_all(batch, rows, now);
    if (!decided) return decided;

    prepared_ = {.writes = rows.take_writes()};
    claim_fresh_jobs(now);
    Status applied = store_.apply(prepared_.writes);
    const bool is_open = !applied && applied.error().code == ErrorCode::commit_unknown;
    if (!applied && !is_open) take_jobs_back();
    listener_.on_batch(batch.size(), now - began_at_, clock_.now() - began_at_);
    return applied;
}

Status Committer::decide_all(Batch& batch, WorkingSet& rows, Instant now) {
    for (Ticket& ticket : batch) {
        if (const Status status = decide(ticket, rows, now); !status) return status;
    }
    return ok();
}

// A command that learns from its rows that it needs more gets them inside the same transaction. An
// error is the store's, whatever its code: the transaction is over.
Status Committer::decide(Ticket& ticket, WorkingSet& rows, Instant now) {
    Result<Command::Attempt> attempt =
        is_in_the_way(rows, ticket.command->rows_needed(), *ticket.command)
            ? unreadable_row()
            : ticket.command->attempt(rows, now);
    while (attempt && !attempt->missing.empty()) {
        attempt->missing.normalise();
        Result<LoadedRows> more = store_.extend(attempt->missing);
        if (!more) return more.error();
        tell_of_unreadable(*more);
        Footprint asked = std::move(attempt->missing);
        rows.add(asked, std::move(*more));
        // A definition that cannot be read is as good as none: the workflow ends without it.
        asked.definitions.clear();
        attempt = is_in_the_way(rows, asked, *ticket.command) ? unreadable_row()
                                                              : ticket.command->attempt(rows, now);
    }
    ticket.verdict = attempt ? ok() : Status(attempt.error());
    ticket.instance_moved.reset();
    if (attempt && ticket.trace.request.is_recorded && !attempt->effects.instances.empty()) {
        ticket.instance_moved = attempt->effects.instances.front().key;
    }
    if (attempt) rows.absorb(std::move(attempt->effects));
    return ok();
}

void Committer::tell_of_unreadable(const LoadedRows& loaded) {
    if (!loaded.unreadable.empty()) listener_.on_unreadable_rows(loaded.unreadable.reasons);
}

void Committer::claim_fresh_jobs(Instant now) {
    std::vector<Job*> fresh;
    std::vector<WaitingType> offered;
    for (std::vector<Job>* jobs : {&prepared_.writes.jobs_new, &prepared_.writes.jobs_changed}) {
        for (Job& job : *jobs) {
            if (job.status != JobState::unlocked) continue;
            const WaitingType type{job.key.workspace_id, job.job_type};
            if (variables_of(job, prepared_.writes) == nullptr) {
                prepared_.jobs_waiting.push_back(type);
                continue;
            }
            fresh.push_back(&job);
            offered.push_back(type);
        }
    }
    if (fresh.empty()) return;

    prepared_.grants = demand_.reserve(offered);
    for (const JobGrant& grant : prepared_.grants) {
        Job& job = *fresh[grant.job];
        Result<Job> claimed = claim(std::move(job), grant.worker_id, grant.lease_duration, now);
        MILLRACE_CHECK(claimed);
        job = std::move(*claimed);
        prepared_.jobs_granted.push_back({job, *variables_of(job, prepared_.writes)});
    }
    for (const Job* job : fresh) {
        if (job->status == JobState::unlocked) {
            prepared_.jobs_waiting.push_back({job->key.workspace_id, job->job_type});
        }
    }
}

// Finds out what became of the batch, and tries it again only if it did not commit.
Status Committer::settle(Batch& batch) {
    const Result<CommitOutcome> outcome = store_.resolve();
    if (!outcome) return Error{ErrorCode::commit_unknown, outcome.error().detail};
    if (*outcome == CommitOutcome::committed) {
        listener_.on_outcome(BatchOutcome::committed);
        return ok();
    }
    listener_.on_outcome(BatchOutcome::aborted);
    take_jobs_back();
    return attempt(batch);
}

// Halves the front batch until the command whose data the database refuses, or whose rows cannot be
// read, stands alone.
void Committer::isolate_poison(const Error& error) {
    Batch& batch = batches_.front();
    if (batch.size() == 1) return end_front(error);
    front_tries_ -= 1;  // Only what the store's health has cost is counted.

    const auto middle = batch.begin() + std::ssize(batch) / 2;
    Batch second_half(std::make_move_iterator(middle), std::make_move_iterator(batch.end()));
    batch.erase(middle, batch.end());
    batches_.insert(std::next(batches_.begin()), std::move(second_half));
}

// Refusals are answered after the commit too: they may rest on effects of the same batch.
void Committer::end_front(const Status& status) {
    const Batch batch = std::move(batches_.front());
    batches_.pop_front();
    const bool is_in_doubt = std::exchange(front_in_doubt_, false);
    const int tries = std::exchange(front_tries_, 0);
    const Instant ended_at = clock_.now();
    listener_.on_batch_end(
        {batch, status, prepared_.writes, began_at_, decided_at_, ended_at, tries});
    if (status) {
        listener_.on_commit(prepared_.writes);
        hand_out_jobs();
    } else {
        if (is_in_doubt) tell_of_doubt();
        take_jobs_back();
    }
    const Duration waited = ended_at - taken_at_;
    for (const Ticket& ticket : batch) {
        listener_.on_command(ticket.command->name(), waited);
        ticket.command->finish(status ? ticket.verdict : status);
    }
}

// The rows may be there although nobody was told: a hint too much costs a look, one too little
// would leave them lying.
void Committer::tell_of_doubt() {
    listener_.on_doubt(prepared_.writes);
    std::vector<WaitingType> types = prepared_.jobs_waiting;
    for (const DeliveredJob& granted : prepared_.jobs_granted) {
        types.push_back({granted.job.key.workspace_id, granted.job.job_type});
    }
    if (!types.empty()) demand_.announce(types);
}

void Committer::hand_out_jobs() {
    Prepared prepared = std::exchange(prepared_, {});
    if (!prepared.grants.empty()) {
        demand_.deliver(prepared.grants, std::move(prepared.jobs_granted));
    }
    if (!prepared.jobs_waiting.empty()) demand_.announce(prepared.jobs_waiting);
}

void Committer::take_jobs_back() {
    const Prepared prepared = std::exchange(prepared_, {});
    if (!prepared.grants.empty()) demand_.give_back(prepared.grants);
}

}  // namespace millrace
