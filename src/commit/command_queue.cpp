#include "commit/command_queue.hpp"

#include <algorithm>
#include <array>
#include <ranges>

#include "core/limits.hpp"

namespace millrace {

namespace {

FairLines::Room room_of(Lane lane, bool is_shared) {
    const std::size_t commands = is_shared ? limits::kSharedCommandsMax : limits::kBatchCommandsMax;
    return {
        .commands = lane == Lane::background ? limits::kDutyCommandsMax : commands,
        .work = limits::kBatchWorkMax,
        .bytes = is_shared ? limits::kSharedBytesMax : limits::kBatchBytesMax,
    };
}

}  // namespace

// Callbacks run without the mutex: they may come back to this queue.
void CommandQueue::push(std::vector<std::unique_ptr<Command>> commands, const CommandTrace& trace,
                        Lane lane) {
    if (commands.empty()) return;
    const Instant deadline =
        clock_ == nullptr ? Instant::max() : clock_->now() + limits::kCommandPatience;
    std::vector<Ticket> tickets;
    tickets.reserve(commands.size());
    for (std::unique_ptr<Command>& command : commands) {
        Ticket& ticket = tickets.emplace_back();
        ticket.holds = command->rows_needed().holds();
        ticket.command = std::move(command);
        ticket.trace = trace;
        ticket.home = lane;
        ticket.deadline = deadline;
    }
    if (try_append(tickets)) return wake_();
    const Error refusal{ErrorCode::unavailable,
                        "The server is busy or shutting down: too many commands wait."};
    for (const Ticket& ticket : tickets) ticket.command->finish(refusal);
}

bool CommandQueue::try_append(std::vector<Ticket>& tickets) {
    const MutexLock lock(mutex_);
    if (closing_.is_closed || !has_room(tickets)) return false;
    for (Ticket& ticket : tickets) {
        ticket.number = ++last_number_;
        lines_of(ticket).push(std::move(ticket));
    }
    return true;
}

bool CommandQueue::has_room(const std::vector<Ticket>& tickets) {
    const std::size_t waiting = waiting_now();
    if (waiting + tickets.size() > limits::kWaitingCommandsMax) return false;
    // So few fit, whosever they are.
    if (waiting + tickets.size() <= limits::kWaitingCommandsMax / 4) return true;
    return lines_of(tickets.front()).has_room(tickets, limits::kWaitingCommandsMax - waiting);
}

CommandQueue::Taken CommandQueue::take(Instant now) {
    const MutexLock lock(mutex_);
    const bool is_specials_turn = !was_last_special_ || requests_.size() == 0;
    if (!is_special_in_hand_ && is_specials_turn) {
        if (std::optional<Taken> taken = take_special(now)) return std::move(*taken);
    }
    was_last_special_ = false;
    Taken requests = take_lines(Lane::request, now);
    const bool is_nothing = requests.tickets.empty() && requests.late.empty();
    if (!is_nothing || is_special_in_hand_ || is_specials_turn) return requests;
    // All requests wait for instances that others hold, perhaps those of another lane.
    std::optional<Taken> special = take_special(now);
    return special ? std::move(*special) : std::move(requests);
}

// The lanes beside that of requests take turns, too.
std::optional<CommandQueue::Taken> CommandQueue::take_special(Instant now) {
    constexpr std::array kLanes = {Lane::background, Lane::alone, Lane::locked};
    const auto last = std::ranges::find(kLanes, last_special_) - kLanes.begin();
    for (std::size_t step = 1; step <= kLanes.size(); ++step) {
        const Lane lane = kLanes[(static_cast<std::size_t>(last) + step) % kLanes.size()];
        Taken taken = lane == Lane::background ? take_lines(lane, now)
                      : lane == Lane::alone    ? take_alone()
                                               : take_parked(now);
        if (taken.tickets.empty() && taken.late.empty()) continue;
        last_special_ = lane;
        was_last_special_ = true;
        is_special_in_hand_ = !taken.tickets.empty();
        return taken;
    }
    return std::nullopt;
}

CommandQueue::Taken CommandQueue::take_lines(Lane lane, Instant now) {
    std::unordered_set<Id128, IdHash> passed_over;
    std::size_t taken_count = 0;
    bool is_full = false;  // Of one command that fills a batch.
    const auto turn_of = [&](const Ticket& ticket) MILLRACE_REQUIRES(mutex_) {
        if (is_late(ticket, now)) return Turn::drop;
        const bool is_bulky = ticket.command->is_bulky();
        if (is_full || (is_bulky && taken_count > 0)) return Turn::stop;
        const bool is_overtaking =
            !passed_over.empty() && std::ranges::any_of(ticket.holds, [&](const Id128& id) {
                return passed_over.contains(id);
            });
        if (!is_overtaking && !is_in_hand(ticket) && !apart_.has_earlier(ticket)) {
            taken_count += 1;
            is_full = is_bulky;
            return Turn::take;
        }
        // Nobody may overtake it on any of its instances.
        passed_over.insert(ticket.holds.begin(), ticket.holds.end());
        return Turn::wait;
    };
    FairLines& lines = lane == Lane::background ? duties_ : requests_;
    if (lines.size() == 0) return {.lane = lane};
    FairLines::Taken taken = lines.take(room_of(lane, lines.is_shared()), turn_of);
    for (const Ticket& ticket : taken.tickets) {
        leave_lines(ticket);
        hold(ticket.holds);
    }
    for (const Ticket& ticket : taken.dropped) leave_lines(ticket);
    return {.tickets = std::move(taken.tickets), .lane = lane, .late = std::move(taken.dropped)};
}

// In order of arrival, and never past one that stays.
CommandQueue::Taken CommandQueue::take_parked(Instant now) {
    Taken taken{.lane = Lane::locked};
    if (locked_.empty()) return taken;
    std::ranges::sort(locked_, {}, &Ticket::number);
    std::deque<Ticket> still;
    for (Ticket& ticket : locked_) {
        const bool is_too_late = is_late(ticket, now);
        const bool is_due = ticket.parked_until <= now || is_too_late;
        const bool has_room = taken.tickets.size() < limits::kDutyCommandsMax;
        const bool is_held_up = is_blocked(ticket);
        if (is_due && has_room && !is_held_up) {
            apart_.remove(ticket);
            taken.tickets.push_back(std::move(ticket));
        } else if (is_too_late && is_held_up) {
            apart_.remove(ticket);
            lines_of(ticket).end(ticket);
            taken.late.push_back(std::move(ticket));
        } else {
            still.push_back(std::move(ticket));
        }
    }
    locked_ = std::move(still);
    for (const Ticket& ticket : taken.tickets) hold(ticket.holds);
    return taken;
}

CommandQueue::Taken CommandQueue::take_alone() {
    Taken taken{.lane = Lane::alone};
    std::ranges::sort(alone_, {}, &Ticket::number);
    for (auto ticket = alone_.begin(); ticket != alone_.end(); ++ticket) {
        if (is_blocked(*ticket)) continue;
        apart_.remove(*ticket);
        hold(ticket->holds);
        taken.tickets.push_back(std::move(*ticket));
        alone_.erase(ticket);
        break;
    }
    return taken;
}

bool CommandQueue::is_blocked(const Ticket& ticket) const {
    return is_in_hand(ticket) || apart_.has_earlier(ticket) || put_back_.has_earlier(ticket);
}

std::vector<Ticket> CommandQueue::take_late(Instant now) {
    const MutexLock lock(mutex_);
    const auto is_too_late = [&](const Ticket& ticket) MILLRACE_REQUIRES(mutex_) {
        return is_late(ticket, now);
    };
    std::vector<Ticket> late = requests_.drop_heads(is_too_late);
    std::ranges::move(duties_.drop_heads(is_too_late), std::back_inserter(late));
    for (const Ticket& ticket : late) leave_lines(ticket);
    for (std::deque<Ticket>* lane : {&alone_, &locked_}) {
        const auto rest = std::ranges::stable_partition(*lane, is_too_late);
        for (auto ticket = lane->begin(); ticket != rest.begin(); ++ticket) {
            apart_.remove(*ticket);
            lines_of(*ticket).end(*ticket);
            late.push_back(std::move(*ticket));
        }
        lane->erase(lane->begin(), rest.begin());
    }
    return late;
}

void CommandQueue::put_back(std::vector<Ticket> tickets) {
    {
        const MutexLock lock(mutex_);
        for (Ticket& ticket : std::views::reverse(tickets)) {
            let_go(ticket.holds);
            ticket.is_put_back = true;
            put_back_.add(ticket);
            lines_of(ticket).put_back(std::move(ticket));
        }
    }
    wake_();  // Another committer need not wait for the end of this batch.
}

void CommandQueue::put_alone(std::vector<Ticket> tickets) {
    const MutexLock lock(mutex_);
    for (Ticket& ticket : tickets) set_apart(alone_, std::move(ticket));
}

void CommandQueue::park_locked(std::vector<Ticket> tickets, Instant until) {
    const MutexLock lock(mutex_);
    for (Ticket& ticket : tickets) {
        ticket.parked_until = until;
        set_apart(locked_, std::move(ticket));
    }
}

void CommandQueue::set_apart(std::deque<Ticket>& lane, Ticket ticket) {
    let_go(ticket.holds);
    apart_.add(ticket);
    lane.push_back(std::move(ticket));
}

void CommandQueue::leave_lines(const Ticket& ticket) {
    if (ticket.is_put_back) put_back_.remove(ticket);
}

void CommandQueue::release(std::span<const Ticket> tickets) {
    const MutexLock lock(mutex_);
    for (const Ticket& ticket : tickets) {
        let_go(ticket.holds);
        lines_of(ticket).end(ticket);
    }
}

void CommandQueue::end_turn(Lane lane) {
    bool somebody_waits = false;
    {
        const MutexLock lock(mutex_);
        if (lane != Lane::request) is_special_in_hand_ = false;
        somebody_waits = waiting_now() > 0;
    }
    if (somebody_waits) wake_();
}

std::optional<Instant> CommandQueue::next_at() const {
    const MutexLock lock(mutex_);
    std::optional<Instant> next;
    if (is_special_in_hand_) return next;  // The end of that turn wakes.
    for (const Ticket& ticket : locked_) {
        Instant at = std::min(ticket.deadline, closing_.give_up_at);
        // The end of the turn that holds it up wakes, too.
        if (!is_blocked(ticket)) at = std::min(at, ticket.parked_until);
        next = std::min(next.value_or(at), at);
    }
    return next;
}

void CommandQueue::close(Instant give_up_at) {
    const MutexLock lock(mutex_);
    closing_ = {.is_closed = true, .give_up_at = give_up_at};
}

CommandQueue::Closing CommandQueue::closing() const {
    const MutexLock lock(mutex_);
    return closing_;
}

std::size_t CommandQueue::waiting() const {
    const MutexLock lock(mutex_);
    return waiting_now();
}

std::size_t CommandQueue::waiting_now() const {
    return requests_.size() + duties_.size() + alone_.size() + locked_.size();
}

bool CommandQueue::Closing::is_over(const Ticket& ticket, Instant now) const {
    if (std::min(ticket.deadline, give_up_at) <= now) return true;
    // A server that stops leaves its duties to the next one: nobody waits for them.
    return is_closed && (ticket.home == Lane::background || ticket.command->is_duty());
}

bool CommandQueue::is_late(const Ticket& ticket, Instant now) const {
    return closing_.is_over(ticket, now);
}

bool CommandQueue::is_in_hand(const Ticket& ticket) const {
    if (held_.empty()) return false;
    return std::ranges::any_of(ticket.holds, [this](const Id128& id) MILLRACE_REQUIRES(mutex_) {
        return held_.contains(id);
    });
}

void CommandQueue::hold(const std::vector<Id128>& holds) {
    for (const Id128& id : holds) held_[id] += 1;
}

void CommandQueue::let_go(const std::vector<Id128>& holds) {
    for (const Id128& id : holds) {
        const auto found = held_.find(id);
        if (--found->second == 0) held_.erase(found);
    }
}

}  // namespace millrace
