#pragma once

#include <optional>

#include "base/time.hpp"

namespace millrace {

// What a duty tells after each run_once.
struct DutyRound {
    bool unhealthy = false;            // The store failed: call again after a pause.
    std::optional<Instant> next_at{};  // Empty: when woken.

    friend bool operator==(const DutyRound&, const DutyRound&) = default;
};

}  // namespace millrace
