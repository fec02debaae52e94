#include "commit/batch_transaction.hpp"

#include <algorithm>
#include <iterator>
#include <unordered_set>
#include <utility>

#include "commit/command_queue.hpp"

namespace millrace {

namespace {

// Whether the command needs a row that cannot be read. Without this it would take it for absent.
bool is_in_the_way(const WorkingSet& rows, const Footprint& asked, const Command& command) {
    return !rows.unreadable().empty() && !command.passes_over_unreadable_rows() &&
           rows.unreadable().concern(asked);
}

// A batch loads no more than it may write. A single command gets what it needs, and so does the
// first one of several: it is always decided.
Footprint footprint_of(const std::vector<Ticket>& tickets) {
    Footprint needed;
    for (const Ticket& ticket : tickets) needed.add(ticket.command->rows_needed());
    if (tickets.size() > 1) {
        const Ticket& first = tickets.front();
        needed.bound = {.bytes_max = limits::kBatchBytesMax,
                        .instances_first = first.holds,
                        .definitions_first = first.command->rows_needed().definitions};
    }
    needed.normalise();
    return needed;
}

// Which of the tickets have to wait for another load, and with them all that may not overtake them.
std::vector<bool> waiting_for_rows(const std::vector<Ticket>& tickets,
                                   const LeftOutRows& left_out) {
    std::vector<bool> is_waiting(tickets.size());
    if (left_out.empty()) return is_waiting;
    std::unordered_set<Id128, IdHash> passed_over;
    const auto is_behind = [&](const Id128& id) {
        return passed_over.contains(id);
    };
    for (std::size_t i = 0; i < tickets.size(); ++i) {
        const std::vector<Id128>& holds = tickets[i].holds;
        is_waiting[i] = left_out.concern(holds, tickets[i].command->rows_needed()) ||
                        std::ranges::any_of(holds, is_behind);
        if (is_waiting[i]) passed_over.insert(holds.begin(), holds.end());
    }
    MILLRACE_CHECK(!is_waiting.front());
    return is_waiting;
}

Result<Command::Attempt> unreadable_row() {
    return Error{ErrorCode::internal, "A stored row that this needs cannot be read."};
}

}  // namespace

// Wall time ends a batch early and never decides what becomes of a command.
bool BatchTransaction::Spent::is_over(Instant now) const {
    return work >= limits::kBatchWorkMax || size.bytes >= limits::kBatchBytesMax ||
           size.rows >= limits::kBatchRowsMax || definition_bytes >= limits::kBatchBytesMax ||
           now - began_at >= limits::kDecidingWatched;
}

Status BatchTransaction::run(std::vector<Ticket>& tickets) {
    const Footprint needed = footprint_of(tickets);
    began_at_ = decided_at_ = clock_.now();
    Result<LoadedRows> loaded = store_.load(needed);
    if (!loaded) {
        const bool is_locked = loaded.error().code == ErrorCode::unavailable &&
                               loaded.error().why == Unavailable::locked;
        if (is_locked) listener_.on_lock_timeout(clock_.now() - began_at_);
        return loaded.error();
    }
    const std::vector<bool> is_waiting = waiting_for_rows(tickets, loaded->left_out);
    const std::int64_t bytes_each = size_of(*loaded).bytes / std::ranges::count(is_waiting, false);
    tell_of_unreadable(*loaded);
    WorkingSet rows;
    rows.set_work_max(command_work_max_);
    rows.add(needed, std::move(*loaded));

    const Instant now = clock_.now();  // After the locks: no decision is older than its rows.
    decided_at_ = now;
    Status decided = decide_all(tickets, is_waiting, rows, bytes_each, now);
    if (!decided) return decided;

    writes_ = rows.take_writes();
    fresh_jobs_.claim(writes_, now);
    Status applied = store_.apply(writes_);
    const bool is_open = !applied && applied.error().code == ErrorCode::commit_unknown;
    if (!applied && !is_open) fresh_jobs_.take_back();
    listener_.on_batch(tickets.size(), now - began_at_, clock_.now() - began_at_);
    return applied;
}

Status BatchTransaction::decide_all(std::vector<Ticket>& tickets,
                                    const std::vector<bool>& is_waiting, WorkingSet& rows,
                                    std::int64_t bytes_each, Instant now) {
    Spent spent{.began_at = clock_.now()};
    Instant last = spent.began_at;
    std::vector<bool> is_decided(tickets.size());
    for (std::size_t i = 0; i < tickets.size(); ++i) {
        if (i > 0 && spent.is_over(last)) break;
        if (is_waiting[i]) continue;
        Ticket& ticket = tickets[i];
        Result<RowsSize> written = decide(ticket, rows, now, spent);
        if (!written) return written.error();
        written->bytes += bytes_each;
        ticket.bytes = written->bytes;
        spent.size += *written;
        spent.work += ticket.work;
        const Instant ended_at = clock_.now();
        ticket.is_slow = ended_at - last >= limits::kDecidingWatched;
        last = ended_at;
        is_decided[i] = true;
    }
    set_undecided(tickets, is_decided);
    return ok();
}

void BatchTransaction::set_undecided(std::vector<Ticket>& tickets,
                                     const std::vector<bool>& is_decided) {
    if (std::ranges::find(is_decided, false) == is_decided.end()) return;
    std::vector<Ticket> decided;
    for (std::size_t i = 0; i < tickets.size(); ++i) {
        (is_decided[i] ? decided : undecided_).push_back(std::move(tickets[i]));
    }
    tickets = std::move(decided);
}

// A command that learns from its rows that it needs more gets them inside the same transaction. An
// error is the store's, whatever its code: the transaction is over.
Result<RowsSize> BatchTransaction::decide(Ticket& ticket, WorkingSet& rows, Instant now,
                                          Spent& spent) {
    std::int64_t bytes_loaded = 0;
    Result<Command::Attempt> attempt =
        is_in_the_way(rows, ticket.command->rows_needed(), *ticket.command)
            ? unreadable_row()
            : ticket.command->attempt(rows, now);
    while (attempt && !attempt->missing.empty()) {
        attempt->missing.normalise();
        Result<LoadedRows> more = store_.extend(attempt->missing);
        if (!more) return more.error();
        tell_of_unreadable(*more);
        bytes_loaded += size_of(*more).bytes;
        for (const auto& [key, row] : more->definitions) {
            if (row) spent.definition_bytes += static_cast<std::int64_t>(row->bytes);
        }
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
    if (!attempt) return RowsSize{.bytes = bytes_loaded};
    if (ticket.trace.request.is_recorded && !attempt->effects.instances.empty()) {
        ticket.instance_moved = attempt->effects.instances.front().key;
    }
    RowsSize written = size_of(attempt->effects);
    written.bytes += bytes_loaded;
    rows.absorb(std::move(attempt->effects));
    return written;
}

void BatchTransaction::tell_of_unreadable(const LoadedRows& loaded) {
    if (!loaded.unreadable.empty()) listener_.on_unreadable_rows(loaded.unreadable.reasons);
}

}  // namespace millrace
