#include "commit/fair_lines.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include "core/limits.hpp"

namespace millrace {

namespace {

// What the cheapest command costs: a flood of them is work, too.
constexpr std::int64_t kWorkLeast =
    limits::kBatchWorkMax / static_cast<std::int64_t>(limits::kBatchCommandsMax);
// Estimates follow what was seen within some commands.
constexpr std::int64_t kMemory = 8;
constexpr std::size_t kIdleLinesMax = 1'000;

// The workspace that a command is for; empty for those of the whole cluster.
const std::string& payer_of(const Footprint& rows) {
    static const std::string nobody;
    if (!rows.instances.empty()) return rows.instances.front().workspace_id.value;
    if (!rows.jobs.empty()) return rows.jobs.front().workspace_id.value;
    if (!rows.definitions.empty()) return rows.definitions.front().workspace_id.value;
    if (!rows.executions.empty()) return rows.executions.front().workspace_id.value;
    if (!rows.user_tasks.empty()) return rows.user_tasks.front().workspace_id.value;
    if (!rows.uploads.empty()) return rows.uploads.front().workspace_id.value;
    if (!rows.workspaces.empty()) return rows.workspaces.front().value;
    return nobody;
}

void follow(std::int64_t& estimate, std::int64_t seen) {
    estimate += (seen - estimate) / kMemory;
}

// For a heap whose front is the line that has paid least.
bool goes_later(const TenantLine* left, const TenantLine* right) {
    return left->work_paid > right->work_paid;
}

}  // namespace

TenantLine& FairLines::line_of(const Ticket& ticket) {
    if (ticket.line != nullptr) return *ticket.line;
    const std::string& payer = payer_of(ticket.command->rows_needed());
    TenantLine& line = lines_[payer];
    line.is_a_tenants = !payer.empty();
    return line;
}

void FairLines::wake(TenantLine& line) {
    if (!line.waiting.empty()) return;
    line.work_paid = std::max(line.work_paid, work_now_);
    busy_.push_back(&line);
}

bool FairLines::has_room(const std::vector<Ticket>& tickets, std::size_t free) {
    std::unordered_map<const TenantLine*, std::size_t> counts;
    return std::ranges::all_of(tickets, [&](const Ticket& ticket) {
        const TenantLine& line = line_of(ticket);
        const std::size_t had = line.waiting.size() + line.in_hand;
        std::size_t& count = counts.try_emplace(&line, had).first->second;
        count += 1;
        return count <= free || !line.is_a_tenants;
    });
}

void FairLines::push(Ticket ticket) {
    TenantLine& line = line_of(ticket);
    wake(line);
    ticket.line = &line;
    line.waiting.push_back(std::move(ticket));
    size_ += 1;
}

bool FairLines::take_next(TenantLine& line, const std::function<Turn(const Ticket&)>& turn_of,
                          Taken& taken, std::vector<Ticket>& passed_over) {
    while (!line.waiting.empty()) {
        Ticket ticket = std::move(line.waiting.front());
        line.waiting.pop_front();
        switch (turn_of(ticket)) {
            case Turn::wait: passed_over.push_back(std::move(ticket)); break;
            case Turn::drop: taken.dropped.push_back(std::move(ticket)); break;
            case Turn::stop: line.waiting.push_front(std::move(ticket)); return false;
            case Turn::take:
                ticket.work_charged = std::max(line.work_each, kWorkLeast);
                line.in_hand += 1;
                taken.tickets.push_back(std::move(ticket));
                return true;
        }
    }
    return false;
}

FairLines::Taken FairLines::take(const Room& room,
                                 const std::function<Turn(const Ticket&)>& turn_of) {
    Taken taken;
    std::int64_t work = 0;
    std::int64_t bytes = 0;
    std::vector<std::pair<TenantLine*, std::vector<Ticket>>> left;  // Put back at the end.
    std::vector<TenantLine*> turns = busy_;
    std::ranges::make_heap(turns, goes_later);
    while (!turns.empty() && taken.tickets.size() < room.commands) {
        std::ranges::pop_heap(turns, goes_later);
        TenantLine& line = *turns.back();
        const bool fits = taken.tickets.empty() || (work + line.work_each <= room.work &&
                                                    bytes + line.bytes_each <= room.bytes);
        if (!fits) break;
        std::vector<Ticket> passed_over;
        const bool is_taken = take_next(line, turn_of, taken, passed_over);
        if (!passed_over.empty()) left.emplace_back(&line, std::move(passed_over));
        if (!is_taken) {
            turns.pop_back();
            continue;
        }
        work_now_ = std::max(work_now_, line.work_paid);
        line.work_paid += taken.tickets.back().work_charged;
        work += line.work_each;
        bytes += line.bytes_each;
        std::ranges::push_heap(turns, goes_later);
    }
    for (auto one = left.rbegin(); one != left.rend(); ++one) {
        std::deque<Ticket>& waiting = one->first->waiting;
        waiting.insert(waiting.begin(), std::make_move_iterator(one->second.begin()),
                       std::make_move_iterator(one->second.end()));
    }
    size_ -= taken.tickets.size() + taken.dropped.size();
    std::erase_if(busy_, [](const TenantLine* line) { return line->waiting.empty(); });
    note_served(taken);
    forget_idle_lines();
    return taken;
}

// By takes and not by time, so that two runs of a simulation do the same.
void FairLines::note_served(const Taken& taken) {
    bool is_by_one = true;
    for (const Ticket& ticket : taken.tickets) {
        if (!ticket.line->is_a_tenants) continue;
        if (served_ != nullptr && served_ != ticket.line) is_by_one = false;
        served_ = ticket.line;
    }
    takes_by_one_ = is_by_one ? std::min(takes_by_one_ + 1, kTakesRemembered) : 0;
}

std::vector<Ticket> FairLines::drop_heads(const std::function<bool(const Ticket&)>& is_dropped) {
    std::vector<Ticket> dropped;
    for (TenantLine* line : busy_) {
        while (!line->waiting.empty() && is_dropped(line->waiting.front())) {
            dropped.push_back(std::move(line->waiting.front()));
            line->waiting.pop_front();
        }
    }
    size_ -= dropped.size();
    std::erase_if(busy_, [](const TenantLine* line) { return line->waiting.empty(); });
    return dropped;
}

void FairLines::put_back(Ticket ticket) {
    TenantLine& line = *ticket.line;
    line.in_hand -= 1;
    line.work_paid -= std::exchange(ticket.work_charged, 0);
    if (line.waiting.empty()) busy_.push_back(&line);
    line.waiting.push_front(std::move(ticket));
    size_ += 1;
}

void FairLines::end(const Ticket& ticket) {
    TenantLine& line = *ticket.line;
    line.in_hand -= 1;
    line.work_paid += std::max(ticket.work, kWorkLeast) - ticket.work_charged;
    follow(line.work_each, ticket.work);
    follow(line.bytes_each, ticket.bytes);
}

// A line that has paid more than the others remembers that until they have caught up.
void FairLines::forget_idle_lines() {
    if (lines_.size() <= busy_.size() + kIdleLinesMax) return;
    std::erase_if(lines_, [this](const auto& each) {
        const TenantLine& line = each.second;
        return &line != served_ && line.waiting.empty() && line.in_hand == 0 &&
               line.work_paid <= work_now_;
    });
}

}  // namespace millrace
