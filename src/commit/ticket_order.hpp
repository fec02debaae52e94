#pragma once

#include <algorithm>
#include <cstdint>
#include <set>
#include <unordered_map>

#include "commit/ticket.hpp"

namespace millrace {

struct IdHash {
    // The random bits of an id are in its middle: any mix of both halves spreads well.
    std::size_t operator()(const Id128& id) const {
        return static_cast<std::size_t>(id.high ^ (id.low >> 32) * 0x9E3779B97F4A7C15u);
    }
};

// Tickets that wait outside of the lines, or went back to them, by the ids that they hold: a ticket
// with a greater number stays after them.
class TicketOrder {
public:
    void add(const Ticket& ticket) {
        for (const Id128& id : ticket.holds) numbers_[id].insert(ticket.number);
    }

    void remove(const Ticket& ticket) {
        for (const Id128& id : ticket.holds) {
            const auto found = numbers_.find(id);
            if (found == numbers_.end()) continue;
            found->second.erase(ticket.number);
            if (found->second.empty()) numbers_.erase(found);
        }
    }

    // Whether one of them came before this ticket and holds one of its ids.
    bool has_earlier(const Ticket& ticket) const {
        if (numbers_.empty()) return false;
        return std::ranges::any_of(ticket.holds, [&](const Id128& id) {
            const auto found = numbers_.find(id);
            return found != numbers_.end() && *found->second.begin() < ticket.number;
        });
    }

private:
    std::unordered_map<Id128, std::set<std::uint64_t>, IdHash> numbers_;
};

}  // namespace millrace
