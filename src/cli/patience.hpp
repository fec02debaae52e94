#pragma once

#include <chrono>
#include <optional>

namespace millrace::cli {

// How long to try again when what has answered before answers no longer. Counts from the first
// failure: that there was nothing to hear before it says nothing.
class Patience {
public:
    using Time = std::chrono::steady_clock::time_point;

    explicit Patience(std::chrono::seconds max) : max_(max) {}

    void on_answer() { lost_at_.reset(); }
    // False when there was nothing but failures for too long.
    bool bears_failure(Time now) {
        if (!lost_at_) lost_at_ = now;
        return now - *lost_at_ <= max_;
    }

private:
    const std::chrono::seconds max_;
    std::optional<Time> lost_at_;
};

}  // namespace millrace::cli
