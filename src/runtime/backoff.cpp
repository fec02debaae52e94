#include "runtime/backoff.hpp"

#include <algorithm>

namespace millrace::runtime {

Duration Backoff::next() {
    step_ = std::clamp(2 * step_, limits_.first, limits_.most);
    const auto half = static_cast<std::uint64_t>(step_.count() / 2);
    return step_ - Duration(static_cast<Duration::rep>(random_.next() % (half + 1)));
}

}  // namespace millrace::runtime
