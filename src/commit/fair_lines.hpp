#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <string>
#include <unordered_map>
#include <vector>

#include "commit/ticket.hpp"

namespace millrace {

// The commands of one workspace that wait, and what its commands cost lately.
struct TenantLine {
    std::deque<Ticket> waiting{};
    std::int64_t work_paid = 0;   // Grows with all that is decided for it: the least goes next.
    std::int64_t work_each = 0;   // About what one of its commands costs,
    std::int64_t bytes_each = 0;  // and how much it loads and writes.
    std::size_t in_hand = 0;      // Taken and neither put back nor ended.
    bool is_a_tenants = false;    // Else it is the line of the whole cluster.
};

// Commands that wait, in a line for each workspace. The lines take turns by work: the one that has
// cost the least goes next, so that many or expensive commands of one workspace delay its own. A
// line that was empty begins where the others are, and has saved nothing up. Within a line commands
// keep their order.
class FairLines {
public:
    // Whether each line, with these, has no more than `free`. That of the whole cluster always has
    // room.
    bool has_room(const std::vector<Ticket>& tickets, std::size_t free);
    void push(Ticket ticket);

    // How much one take may give. The first command fits always.
    struct Room {
        std::size_t commands = 0;
        std::int64_t work = 0;
        std::int64_t bytes = 0;
    };
    enum class Turn { take, wait, drop, stop };
    struct Taken {
        std::vector<Ticket> tickets{};
        std::vector<Ticket> dropped{};
    };

    // Asks for each ticket, in turn, whether it is taken, waits on in its place, leaves, or ends
    // the take.
    Taken take(const Room& room, const std::function<Turn(const Ticket&)>& turn_of);

    // Those at the heads of the lines for which it is said so, until one of the line stays.
    std::vector<Ticket> drop_heads(const std::function<bool(const Ticket&)>& is_dropped);

    // What was taken goes back to the head of its line; the last ones first.
    void put_back(Ticket ticket);
    // It is over: its workspace pays for what it has cost.
    void end(const Ticket& ticket);

    std::size_t size() const { return size_; }

    // Whether more than one workspace was served by the latest takes.
    bool is_shared() const { return takes_by_one_ < kTakesRemembered; }

private:
    static constexpr int kTakesRemembered = 100;  // About a second of a busy store.

    void note_served(const Taken& taken);
    // Takes the next one of a line; false when none of it can go now.
    static bool take_next(TenantLine& line, const std::function<Turn(const Ticket&)>& turn_of,
                          Taken& taken, std::vector<Ticket>& passed_over);
    TenantLine& line_of(const Ticket& ticket);
    void wake(TenantLine& line);
    void forget_idle_lines();

    std::unordered_map<std::string, TenantLine> lines_;  // By workspace.
    std::vector<TenantLine*> busy_;                      // Those in which somebody waits.
    std::int64_t work_now_ = 0;                          // Paid by the line that went last.
    const TenantLine* served_ = nullptr;                 // The only tenant of the latest takes,
    int takes_by_one_ = kTakesRemembered;                // and how many these are.
    std::size_t size_ = 0;
};

}  // namespace millrace
