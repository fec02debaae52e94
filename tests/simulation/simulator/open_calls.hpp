#pragma once

#include <array>
#include <functional>
#include <map>
#include <memory>
#include <vector>

#include "simulator/fault.hpp"
#include "simulator/observer.hpp"

namespace millrace::sim {

// The calls of others that are not answered yet, and the one place from where observers are told.
class OpenCalls {
public:
    // How often each fault has met a replica so far.
    using FaultCounts = std::array<std::uint32_t, kFaultCount>;
    using Note = std::function<void(const Told& told, const FaultCounts& before)>;

    // Told of each call that is over, with the faults that its replica had met when it was sent.
    void on_end(Note note) { note_ = std::move(note); }
    void add_observer(Observer& observer) { observers_.push_back(&observer); }

    // Gives the call its number. `lost` is called when its replica dies.
    std::uint64_t begin(Told told, const FaultCounts& faults, std::function<void()> lost);
    // False: nobody waits for the answer any more.
    bool end(std::uint64_t number, Instant now, Outcome outcome, std::any answer);
    // The replica is dead.
    void lose(int replica, Instant now);

    std::size_t size() const { return open_.size(); }
    std::size_t count(int replica) const;

private:
    struct Open {
        Told told{};
        FaultCounts faults{};
        std::function<void()> lost{};
    };

    void close(const Open& call);

    std::map<std::uint64_t, Open> open_{};
    std::uint64_t last_number_ = 0;
    std::vector<Observer*> observers_{};
    Note note_{};
};

}  // namespace millrace::sim
