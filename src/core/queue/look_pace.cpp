#include "core/queue/look_pace.hpp"

#include <algorithm>

namespace millrace {

Duration look_after(const LookPace& pace, Duration age, ExecutionId id) {
    const Duration wait = std::clamp(age / 4, pace.shortest, std::max(pace.shortest, pace.longest));
    // The bits in the middle of an id are random.
    const auto dice = static_cast<std::int64_t>((id.value.low >> 32) & 0xFF);
    return wait + wait * dice / (8 * 256);
}

}  // namespace millrace
