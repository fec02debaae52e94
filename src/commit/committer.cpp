#include "commit/committer.hpp"

#include <algorithm>
#include <iterator>
#include <unordered_set>
#include <utility>

namespace millrace {

namespace {

BatchOutcome batch_outcome(const Status& status) {
    if (status) return BatchOutcome::committed;
    const bool is_open = status.error().code == ErrorCode::commit_unknown;
    return is_open ? BatchOutcome::unknown : BatchOutcome::aborted;
}

// What trying again does not mend: data that the store refuses, or a row that cannot be read.
bool is_poison(ErrorCode code) {
    return code == ErrorCode::data_refused || code == ErrorCode::internal;
}

bool is_away(const Status& status) {
    return !status && is_store_down(status.error());
}

Footprint rows_of(const std::vector<Ticket>& tickets) {
    Footprint rows;
    for (const Ticket& ticket : tickets) rows.add(ticket.command->rows_needed());
    rows.normalise();
    return rows;
}

// Takes those out for which it is said so, and with them all that may not overtake them.
template <class IsTaken>
std::vector<Ticket> take_out(std::vector<Ticket>& tickets, const IsTaken& is_taken) {
    std::unordered_set<Id128, IdHash> passed_over;
    const auto is_behind = [&](const Ticket& ticket) {
        return std::ranges::any_of(ticket.holds,
                                   [&](const Id128& id) { return passed_over.contains(id); });
    };
    std::vector<Ticket> taken;
    std::vector<Ticket> left;
    for (Ticket& ticket : tickets) {
        const bool goes = is_taken(ticket) || is_behind(ticket);
        if (goes) passed_over.insert(ticket.holds.begin(), ticket.holds.end());
        (goes ? taken : left).push_back(std::move(ticket));
    }
    tickets = std::move(left);
    return taken;
}

const Error& unknown_outcome() {
    static const Error error{ErrorCode::commit_unknown, "The outcome of the commit is not known."};
    return error;
}

}  // namespace

Round Committer::run_once() {
    if (batches_.empty() && !take()) {
        return is_store_away_ && !queue_.closing().is_closed ? ask_store()
                                                             : Round{.next_at = queue_.next_at()};
    }
    while (!batches_.empty()) {
        if (try_front()) continue;
        answer_waiting(queue_.take_late(clock_.now()));
        return {.unhealthy = true};
    }
    queue_.end_turn(lane_);
    return {.progressed = !is_store_away_, .unhealthy = is_store_away_};
}

// While the server is not ready nobody sends it a command by which it would notice that the store
// is back.
Round Committer::ask_store() {
    const Result<LoadedRows> answer = store_.load({});
    if (answer) store_.abandon();
    is_store_away_ = !answer && is_store_down(answer.error());
    return {.progressed = !is_store_away_, .unhealthy = is_store_away_};
}

bool Committer::take() {
    CommandQueue::Taken taken = queue_.take(clock_.now());
    const bool is_something = !taken.tickets.empty() || !taken.late.empty();
    const Instant now = clock_.now();
    for (Ticket& ticket : taken.tickets) {
        if (ticket.taken_at == Instant{}) ticket.taken_at = now;
    }
    answer_waiting(std::move(taken.late));
    lane_ = taken.tickets.empty() ? Lane::request : taken.lane;
    if (taken.tickets.empty()) return is_something;
    batches_.push_back({.tickets = std::move(taken.tickets), .looks_first = lane_ == Lane::locked});
    return true;
}

bool Committer::try_front() {
    Batch& batch = batches_.front();
    answer_late(batch, clock_.now());
    if (batch.tickets.empty()) {
        batches_.pop_front();
        return true;
    }
    const bool is_given_up =
        batch.in_doubt && std::ranges::all_of(batch.tickets, &Ticket::is_answered);
    if (is_given_up) {
        end_front(unknown_outcome());
        return true;
    }
    if (std::exchange(batch.looks_first, false)) {
        separate_locked(Error{ErrorCode::unavailable, "", {}, Unavailable::locked});
        return true;
    }
    batch.tries += 1;
    const Status status = batch.in_doubt ? settle(batch) : attempt(batch);
    batch.in_doubt = !status && status.error().code == ErrorCode::commit_unknown;
    is_store_away_ = batch.in_doubt || is_away(status);
    if (status) {
        end_front(ok());
        return true;
    }
    return react(status.error());
}

// What becomes of the front batch after a try that failed.
bool Committer::react(const Error& error) {
    Batch& batch = batches_.front();
    if (batch.in_doubt) return false;
    batch.why = error.why;
    separate_slow(batch);
    if (batch.tickets.empty()) {
        batches_.pop_front();
        return true;
    }
    if (is_poison(error.code)) {
        batch.tickets.size() == 1 ? end_front(error) : halve(batch);
        return true;
    }
    switch (error.why) {
        case Unavailable::away: return false;
        case Unavailable::full: end_front(error); return true;
        case Unavailable::locked: separate_locked(error); return true;
        case Unavailable::overrun: note_known_failure(error); return true;
    }
    return false;
}

// The first half is next; both have failed once together.
void Committer::halve(Batch& batch) {
    Tickets& tickets = batch.tickets;
    const auto middle = tickets.begin() + std::ssize(tickets) / 2;
    Batch second{
        .tickets = Tickets(std::make_move_iterator(middle), std::make_move_iterator(tickets.end())),
        .known_failures = batch.known_failures};
    tickets.erase(middle, tickets.end());
    batches_.insert(std::next(batches_.begin()), std::move(second));
}

void Committer::note_known_failure(const Error& error) {
    Batch& batch = batches_.front();
    batch.known_failures += 1;
    if (batch.known_failures < limits::kKnownFailuresMax) return;
    if (batch.tickets.size() == 1) return end_front(error);
    batch.known_failures -= 1;  // A half that fails once more is halved again.
    halve(batch);
}

// Those whose rows somebody else has wait apart, so that the others can go on.
void Committer::separate_locked(const Error& error) {
    Batch& batch = batches_.front();
    const Result<std::vector<Id128>> found = store_.locked_elsewhere(rows_of(batch.tickets));
    const std::unordered_set<Id128, IdHash> ids =
        found ? std::unordered_set<Id128, IdHash>(found->begin(), found->end())
              : std::unordered_set<Id128, IdHash>();
    Tickets locked = take_out(batch.tickets, [&](const Ticket& ticket) {
        return std::ranges::any_of(ticket.holds, [&](const Id128& id) { return ids.contains(id); });
    });
    add_followers(locked);
    if (!locked.empty()) {
        queue_.park_locked(std::move(locked), clock_.now() + limits::kLockedPause);
        if (batch.tickets.empty()) batches_.pop_front();
    } else if (batch.tickets.size() > 1) {
        if (batch.tries > 0) note_known_failure(error);
    } else if (batch.tries > 0) {
        // Gone by now, or a lock that cannot be looked at: it takes a whole load to find out.
        queue_.park_locked(std::move(batch.tickets), clock_.now() + limits::kHiddenLockPause);
        batches_.pop_front();
    }
}

// On the lane for them they are alone: nobody has to wait for them again.
void Committer::separate_slow(Batch& batch) {
    const bool is_needed = std::ranges::any_of(batch.tickets, &Ticket::is_slow);
    if (!is_needed || batch.tickets.size() == 1) return;
    Tickets slow = take_out(batch.tickets, [](const Ticket& ticket) { return ticket.is_slow; });
    add_followers(slow);
    queue_.put_alone(std::move(slow));
}

// Those of the batches behind the front that are about the same instances: they go the same way, so
// that they stay behind.
void Committer::add_followers(Tickets& leaving) {
    std::unordered_set<Id128, IdHash> ids;
    for (const Ticket& ticket : leaving) ids.insert(ticket.holds.begin(), ticket.holds.end());
    if (ids.empty() || batches_.size() < 2) return;
    for (auto batch = std::next(batches_.begin()); batch != batches_.end(); ++batch) {
        Tickets followers = take_out(batch->tickets, [&](const Ticket& ticket) {
            return std::ranges::any_of(ticket.holds,
                                       [&](const Id128& id) { return ids.contains(id); });
        });
        for (Ticket& ticket : followers) {
            ids.insert(ticket.holds.begin(), ticket.holds.end());
            leaving.push_back(std::move(ticket));
        }
    }
}

void Committer::answer(Ticket& ticket, const Status& status, Duration waited) {
    if (std::exchange(ticket.is_answered, true)) return;
    listener_.on_command(ticket.command->name(), waited);
    ticket.command->finish(status);
}

// Nobody waits beyond his deadline. While the commit is in doubt the ticket stays with its batch,
// which goes on being settled for the others.
void Committer::answer_late(Batch& batch, Instant now) {
    const auto is_late = [now, closing = queue_.closing()](const Ticket& ticket) {
        return closing.is_over(ticket, now);
    };
    if (std::ranges::none_of(batch.tickets, is_late)) return;
    if (batch.in_doubt) {
        for (Ticket& ticket : batch.tickets) {
            if (is_late(ticket)) answer(ticket, unknown_outcome(), now - ticket.taken_at);
        }
        return;
    }
    const auto on_time = std::ranges::stable_partition(batch.tickets, is_late);
    Tickets late(std::make_move_iterator(batch.tickets.begin()),
                 std::make_move_iterator(on_time.begin()));
    batch.tickets.erase(batch.tickets.begin(), on_time.begin());
    const Error refusal{
        ErrorCode::unavailable, "The store could not do it in time.", {}, batch.why};
    tell_of_end(late, refusal, batch.tries);
    for (Ticket& ticket : late) answer(ticket, refusal, now - ticket.taken_at);
    queue_.release(late);
}

// They were never tried, or put back: nobody holds anything for them.
void Committer::answer_waiting(Tickets late) {
    const Error refusal{ErrorCode::unavailable, "The command waited for too long."};
    for (Ticket& ticket : late) answer(ticket, refusal, Duration::zero());
}

Status Committer::attempt(Batch& batch) {
    const Status status = transaction_.run(batch.tickets);
    listener_.on_outcome(batch_outcome(status));
    // Now that the transaction no longer has their rows.
    if (Tickets rest = transaction_.take_undecided(); !rest.empty()) {
        add_followers(rest);
        queue_.put_back(std::move(rest));
    }
    return status;
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
    transaction_.fresh_jobs().take_back();
    batch.in_doubt = false;
    const auto open = std::ranges::stable_partition(batch.tickets, &Ticket::is_answered);
    queue_.release(std::span(batch.tickets.begin(), open.begin()));
    batch.tickets.erase(batch.tickets.begin(), open.begin());
    return attempt(batch);
}

void Committer::tell_of_end(std::span<const Ticket> tickets, const Status& status, int tries) {
    listener_.on_batch_end({tickets, status, transaction_.writes(), transaction_.began_at(),
                            transaction_.decided_at(), clock_.now(), tries});
}

// Refusals are answered after the commit too: they may rest on effects of the same batch.
void Committer::end_front(const Status& status) {
    Batch batch = std::move(batches_.front());
    batches_.pop_front();
    const Instant ended_at = clock_.now();
    FreshJobs& fresh_jobs = transaction_.fresh_jobs();
    const Writes& writes = transaction_.writes();
    tell_of_end(batch.tickets, status, batch.tries);
    if (status) {
        listener_.on_commit(writes);
        fresh_jobs.hand_out();
    } else if (batch.in_doubt) {
        listener_.on_doubt(writes);
        fresh_jobs.announce_doubt();
    } else {
        fresh_jobs.take_back();
    }
    transaction_.forget();
    for (Ticket& ticket : batch.tickets) {
        answer(ticket, status ? ticket.verdict : status, ended_at - ticket.taken_at);
    }
    queue_.release(batch.tickets);
}

}  // namespace millrace
