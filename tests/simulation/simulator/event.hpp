#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/time.hpp"

namespace millrace::sim {

// Something that is done to the world at a time of its own. It has all its randomness in itself, so
// that leaving out one event does not change the others: that is how a failing run is shrunk.
struct Event {
    std::size_t number = 0;  // In the plan of its seed.
    Instant at{};
    std::size_t actor = 0;  // Whose it is: its place in the cast.
    std::uint64_t seed = 0;
};

using EventPlan = std::vector<Event>;

}  // namespace millrace::sim
