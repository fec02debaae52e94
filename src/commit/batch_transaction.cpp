#include "commit/batch_transaction.hpp"

#include <iterator>
#include <utility>

namespace millrace {

namespace {

// Whether the command needs a row that cannot be read. Without this it would take it for absent.
bool is_in_the_way(const WorkingSet& rows, const Footprint& asked, const Command& command) {
    return !rows.unreadable().empty() && !command.passes_over_unreadable_rows() &&
           rows.unreadable().concern(asked);
}

Result<Command::Attempt> unreadable_row() {
    return Error{ErrorCode::internal, "A stored row that this needs cannot be read."};
}

}  // namespace

// Wall time ends a batch early and never decides what becomes of a command.
bool BatchTransaction::Spent::is_over(Instant now) const {
    return work >= limits::kBatchWorkMax || size.bytes >= limits::kBatchBytesMax ||
           size.rows >= limits::kBatchRowsMax || now - began_at >= limits::kDecidingWatched;
}

Status BatchTransaction::run(std::vector<Ticket>& tickets) {
    Footprint needed;
    for (const Ticket& ticket : tickets) needed.add(ticket.command->rows_needed());
    needed.normalise();

    began_at_ = decided_at_ = clock_.now();
    Result<LoadedRows> loaded = store_.load(needed);
    if (!loaded) {
        const bool is_locked = loaded.error().code == ErrorCode::unavailable &&
                               loaded.error().why == Unavailable::locked;
        if (is_locked) listener_.on_lock_timeout(clock_.now() - began_at_);
        return loaded.error();
    }
    const std::int64_t bytes_each = size_of(*loaded).bytes / std::ssize(tickets);
    tell_of_unreadable(*loaded);
    WorkingSet rows;
    rows.set_work_max(command_work_max_);
    rows.add(needed, std::move(*loaded));

    const Instant now = clock_.now();  // After the locks: no decision is older than its rows.
    decided_at_ = now;
    Status decided = decide_all(tickets, rows, bytes_each, now);
    if (!decided) return decided;

    writes_ = rows.take_writes();
    fresh_jobs_.claim(writes_, now);
    Status applied = store_.apply(writes_);
    const bool is_open = !applied && applied.error().code == ErrorCode::commit_unknown;
    if (!applied && !is_open) fresh_jobs_.take_back();
    listener_.on_batch(tickets.size(), now - began_at_, clock_.now() - began_at_);
    return applied;
}

Status BatchTransaction::decide_all(std::vector<Ticket>& tickets, WorkingSet& rows,
                                    std::int64_t bytes_each, Instant now) {
    Spent spent{.began_at = clock_.now()};
    Instant last = spent.began_at;
    for (auto ticket = tickets.begin(); ticket != tickets.end(); ++ticket) {
        if (ticket != tickets.begin() && spent.is_over(last)) {
            undecided_.assign(std::make_move_iterator(ticket),
                              std::make_move_iterator(tickets.end()));
            tickets.erase(ticket, tickets.end());
            return ok();
        }
        Result<RowsSize> written = decide(*ticket, rows, now);
        if (!written) return written.error();
        written->bytes += bytes_each;
        ticket->bytes = written->bytes;
        spent.size += *written;
        spent.work += ticket->work;
        const Instant ended_at = clock_.now();
        ticket->is_slow = ended_at - last >= limits::kDecidingWatched;
        last = ended_at;
    }
    return ok();
}

// A command that learns from its rows that it needs more gets them inside the same transaction. An
// error is the store's, whatever its code: the transaction is over.
Result<RowsSize> BatchTransaction::decide(Ticket& ticket, WorkingSet& rows, Instant now) {
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
    ticket.work = attempt ? attempt->effects.work : 0;
    if (!attempt) return RowsSize{};
    if (ticket.trace.request.is_recorded && !attempt->effects.instances.empty()) {
        ticket.instance_moved = attempt->effects.instances.front().key;
    }
    const RowsSize written = size_of(attempt->effects);
    rows.absorb(std::move(attempt->effects));
    return written;
}

void BatchTransaction::tell_of_unreadable(const LoadedRows& loaded) {
    if (!loaded.unreadable.empty()) listener_.on_unreadable_rows(loaded.unreadable.reasons);
}

}  // namespace millrace
