#include "backoff.hpp"

#include <algorithm>

namespace millrace::client {

Duration Backoff::next() {
    const Duration wait = wait_;
    wait_ = std::min(wait_ * 2, kMax);
    return Duration(std::uniform_int_distribution<Duration::rep>(0, wait.count())(dice_));
}

Backoff seeded_backoff() {
    return Backoff(std::random_device{}());
}

}  // namespace millrace::client
