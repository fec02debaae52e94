#pragma once

#include <chrono>
#include <optional>
#include <string_view>

#include "base/time.hpp"

namespace millrace {

// Keeps calls away from a target that does not answer. After some failures in a row it opens:
// nobody calls. After a pause, twice as long each time, one call tries; when that one succeeds, all
// may call again. Belongs to one thread at a time.
class Breaker {
public:
    struct Limits {
        int failures_max = 3;  // In a row, before it opens.
        Duration pause_min = std::chrono::seconds{1};
        Duration pause_max = std::chrono::seconds{30};
    };

    enum class State { closed, open, trying };

    Breaker() = default;
    explicit Breaker(Limits limits) : limits_(limits) {}

    // Whether a call may be made now. Open, and the pause is over: once, and then not until that
    // call has told how it went.
    bool admits(Instant now);

    void succeeded();
    void failed(Instant now);

    State state() const { return state_; }
    // Since when it has let nobody through; empty while it is closed.
    std::optional<Instant> open_since() const { return open_since_; }
    // When a call may try again; only while it is open.
    std::optional<Instant> tries_at() const;

private:
    Limits limits_{};
    State state_ = State::closed;
    int failures_ = 0;
    Duration pause_{};
    Instant tries_at_{};
    std::optional<Instant> open_since_{};
};

std::string_view to_string(Breaker::State state);

}  // namespace millrace
