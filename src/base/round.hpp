#pragma once

#include <optional>

#include "base/time.hpp"

namespace millrace {

// What a passive object tells after each run_once: when to call it again.
struct Round {
    bool progressed = false;           // There may be more to do: call again at once.
    bool unhealthy = false;            // The store failed: call again after a pause.
    std::optional<Instant> next_at{};  // Otherwise: then, or when woken. Empty: when woken.

    // Nothing to do now, and nothing wrong.
    bool is_idle() const { return !progressed && !unhealthy; }

    friend bool operator==(const Round&, const Round&) = default;
};

}  // namespace millrace
