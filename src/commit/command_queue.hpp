#pragma once

#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "base/clock.hpp"
#include "base/mutex.hpp"
#include "commit/fair_lines.hpp"
#include "commit/ticket_order.hpp"

namespace millrace {

// The commands that wait for a commit: one queue per store, drained by its committers. Two
// committers never hold the same instance, so they never wait for each other's row locks, and
// commands of one lane that share an instance commit in the order in which they came. Workspaces
// take turns by work. Of several committers one is always there for requests.
class CommandQueue {
public:
    // `wake` is called when there may be something to take, on any thread. Without a clock no
    // command has a deadline.
    explicit CommandQueue(std::function<void()> wake, const Clock* clock = nullptr)
        : wake_(std::move(wake)), clock_(clock) {}

    // `done` is called once, on a committer's thread: it hands over and returns. When the queue is
    // full or closed it is called at once, with unavailable. It is full for a workspace that has as
    // much in it as is left free, so that whoever comes next still finds room.
    template <class Request>
    void submit(Request request, typename PendingCommand<Request>::Done done,
                const CommandTrace& trace = {}, Lane lane = Lane::request) {
        std::vector<std::unique_ptr<Command>> one;
        one.push_back(make_command(std::move(request), std::move(done)));
        push(std::move(one), trace, lane);
    }

    // The same for what the process has to do by itself.
    template <class Request>
    void submit_duty(Request request, typename PendingCommand<Request>::Done done) {
        submit(std::move(request), std::move(done), {}, Lane::background);
    }

    template <class Request>
    static std::unique_ptr<Command> make_command(Request request,
                                                 typename PendingCommand<Request>::Done done) {
        return std::make_unique<PendingCommand<Request>>(std::move(request), std::move(done));
    }

    // Several at once, so that they can share a commit.
    void push(std::vector<std::unique_ptr<Command>> commands, const CommandTrace& trace = {},
              Lane lane = Lane::request);

    struct Taken {
        std::vector<Ticket> tickets{};
        Lane lane = Lane::request;
        std::vector<Ticket> late{};  // Their deadline is over: to be answered, and no more.
    };

    // What waits on one lane and whose instances are free, as much as a batch may hold. The caller
    // holds the instances until each ticket is put back or released. Lanes take turns.
    Taken take(Instant now);
    // Those that have waited for too long, when nothing is taken because the store is away.
    std::vector<Ticket> take_late(Instant now);

    // Taken, not tried: back to where they came from, in order.
    void put_back(std::vector<Ticket> tickets);
    // Tried: again on the lane for that. Nobody who came later overtakes them; one who came earlier
    // and was put back goes first.
    void put_alone(std::vector<Ticket> tickets);
    void park_locked(std::vector<Ticket> tickets, Instant until);
    // They have their answers.
    void release(std::span<const Ticket> tickets);
    // All that a take gave has gone one of these ways. `lane` is that of the take.
    void end_turn(Lane lane);

    // When something that is parked can be taken.
    std::optional<Instant> next_at() const;

    // Refuses new commands; those that wait are still taken, but none is tried after `give_up_at`.
    void close(Instant give_up_at = Instant::max());
    struct Closing {
        bool is_closed = false;
        Instant give_up_at = Instant::max();

        // Whether the ticket is to be answered now, whatever has become of it.
        bool is_over(const Ticket& ticket, Instant now) const;
    };
    Closing closing() const;

    std::size_t waiting() const;

private:
    using Turn = FairLines::Turn;

    bool try_append(std::vector<Ticket>& tickets);
    // All of one lane.
    bool has_room(const std::vector<Ticket>& tickets) MILLRACE_REQUIRES(mutex_);
    bool is_in_hand(const Ticket& ticket) const MILLRACE_REQUIRES(mutex_);
    // Whether somebody who came earlier has to end before this one of the other lanes is taken.
    bool is_blocked(const Ticket& ticket) const MILLRACE_REQUIRES(mutex_);
    void leave_lines(const Ticket& ticket) MILLRACE_REQUIRES(mutex_);
    bool is_late(const Ticket& ticket, Instant now) const MILLRACE_REQUIRES(mutex_);
    std::optional<Taken> take_special(Instant now) MILLRACE_REQUIRES(mutex_);
    Taken take_lines(Lane lane, Instant now) MILLRACE_REQUIRES(mutex_);
    Taken take_parked(Instant now) MILLRACE_REQUIRES(mutex_);
    Taken take_alone() MILLRACE_REQUIRES(mutex_);
    void set_apart(std::deque<Ticket>& lane, Ticket ticket) MILLRACE_REQUIRES(mutex_);
    void hold(const std::vector<Id128>& holds) MILLRACE_REQUIRES(mutex_);
    void let_go(const std::vector<Id128>& holds) MILLRACE_REQUIRES(mutex_);
    FairLines& lines_of(const Ticket& ticket) MILLRACE_REQUIRES(mutex_) {
        return ticket.home == Lane::background ? duties_ : requests_;
    }
    std::size_t waiting_now() const MILLRACE_REQUIRES(mutex_);

    std::function<void()> wake_;
    const Clock* const clock_;
    mutable Mutex mutex_;
    FairLines requests_ MILLRACE_GUARDED_BY(mutex_);
    FairLines duties_ MILLRACE_GUARDED_BY(mutex_);
    std::deque<Ticket> alone_ MILLRACE_GUARDED_BY(mutex_);
    std::deque<Ticket> locked_ MILLRACE_GUARDED_BY(mutex_);
    TicketOrder apart_ MILLRACE_GUARDED_BY(mutex_);     // Those that are alone or locked.
    TicketOrder put_back_ MILLRACE_GUARDED_BY(mutex_);  // Those in the lines that were taken once.
    // How many tickets in hand name an id.
    std::unordered_map<Id128, std::uint32_t, IdHash> held_ MILLRACE_GUARDED_BY(mutex_);
    std::uint64_t last_number_ MILLRACE_GUARDED_BY(mutex_) = 0;
    bool is_special_in_hand_ MILLRACE_GUARDED_BY(mutex_) = false;
    Lane last_special_ MILLRACE_GUARDED_BY(mutex_) = Lane::background;
    bool was_last_special_ MILLRACE_GUARDED_BY(mutex_) = false;
    Closing closing_ MILLRACE_GUARDED_BY(mutex_);
};

}  // namespace millrace
