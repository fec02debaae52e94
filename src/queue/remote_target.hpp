#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "executor/breaker.hpp"
#include "executor/remote_executor.hpp"
#include "queue/remote_runs_listener.hpp"
#include "queue/remote_settings.hpp"

namespace millrace {

// The way to one target: how many calls are under way there, and whether it is worth calling.
// Belongs to one thread at a time.
class RemoteTarget {
public:
    // Each kind has a bound of its own, so that neither keeps the other from being done.
    enum class Lane { start, look };

    RemoteTarget(std::string name, RemoteExecutor& executor, RemoteRunsListener& listener,
                 const RemoteSettings& settings);

    const std::string& name() const { return name_; }
    RemoteExecutor& executor() { return executor_; }

    // Whether a call may be made now; then it has to be, and leave() told when it, and those that
    // follow from it, are over. Where the target was not there for a while, one call tries.
    bool enter(Lane lane, Instant now);
    void leave(Lane lane);
    bool is_busy(Lane lane) const { return (lane == Lane::start ? starts_ : looks_) > 0; }

    // For calls of no lane: whether the target is as far as anybody knows there.
    bool is_reachable() const { return breaker_.state() == Breaker::State::closed; }

    // How a call went: each of them tells.
    void reached();
    void not_reached(Instant now);
    template <class Answer>
    void note(const CallResult<Answer>& result, Instant now) {
        if (result.answer || !result.failure.is_unreachable) {
            reached();
        } else {
            not_reached(now);
        }
    }

    // Set while nobody may call, until one may try again.
    std::optional<Instant> paused_until(Instant now) const;
    // Since when it has not answered; empty while it does.
    std::optional<Instant> unreachable_since() const { return breaker_.open_since(); }
    // Whether one tries: everybody else waits for how that goes.
    bool is_trying() const { return breaker_.state() == Breaker::State::trying; }

private:
    std::size_t& under_way(Lane lane) { return lane == Lane::start ? starts_ : looks_; }
    void tell(Breaker::State before);

    const std::string name_;
    RemoteExecutor& executor_;
    RemoteRunsListener& listener_;
    const RemoteSettings& settings_;
    Breaker breaker_;
    std::size_t starts_ = 0;
    std::size_t looks_ = 0;
};

}  // namespace millrace
