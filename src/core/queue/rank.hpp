#pragma once

#include <chrono>
#include <cstdint>

#include "base/time.hpp"

namespace millrace {

inline constexpr std::int32_t kPriorityMax = 9;  // First in line.
// What one step of priority is worth: so much earlier it seems to have come.
inline constexpr Duration kPriorityStep = std::chrono::minutes{1};

// The place of an item in the line of its workspace, lowest first. Waiting counts as much as
// priority, at a constant rate, so the place never changes and an index can hold it.
constexpr Instant rank_at(Instant enqueued_at, std::int32_t priority) {
    return enqueued_at + (kPriorityMax - priority) * kPriorityStep;
}

}  // namespace millrace
