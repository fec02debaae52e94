#pragma once

#include <optional>

#include "base/time.hpp"
#include "store/database.hpp"

namespace millrace {

// A loop that knows of nothing due looks again after this long all the same.
inline constexpr Duration kSleepMax = std::chrono::hours{1};
// On a shared store: how long the work of a replica that died may be overdue.
inline constexpr Duration kSharedSleepMax = std::chrono::seconds{2};

inline std::optional<Duration> sleep_max(const Database& database) {
    return database.is_shared() ? std::optional(kSharedSleepMax) : std::nullopt;
}

}  // namespace millrace
