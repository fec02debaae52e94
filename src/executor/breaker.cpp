#include "executor/breaker.hpp"

#include <algorithm>

namespace millrace {

bool Breaker::admits(Instant now) {
    switch (state_) {
        case State::closed: return true;
        case State::trying: return false;
        case State::open: break;
    }
    if (now < tries_at_) return false;
    state_ = State::trying;
    return true;
}

void Breaker::succeeded() {
    state_ = State::closed;
    failures_ = 0;
    pause_ = Duration::zero();
    open_since_.reset();
}

void Breaker::failed(Instant now) {
    ++failures_;
    if (state_ == State::closed && failures_ < limits_.failures_max) return;
    // Calls that were under way when it opened fail too: they make the pause no longer.
    if (state_ == State::open) return;
    pause_ = std::clamp(pause_ * 2, limits_.pause_min, limits_.pause_max);
    tries_at_ = now + pause_;
    state_ = State::open;
    if (!open_since_) open_since_ = now;
}

std::optional<Instant> Breaker::tries_at() const {
    if (state_ != State::open) return std::nullopt;
    return tries_at_;
}

std::string_view to_string(Breaker::State state) {
    switch (state) {
        case Breaker::State::closed: return "closed";
        case Breaker::State::open: return "open";
        case Breaker::State::trying: return "trying";
    }
    return "closed";
}

}  // namespace millrace
