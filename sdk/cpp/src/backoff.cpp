#include "backoff.hpp"

#include <algorithm>

namespace millrace::client {

Duration Backoff::next() {
    const Duration wait = wait_;
    wait_ = std::min(wait_ * 2, kMax);
    std::uniform_int_distribution<Duration::rep> jitter(-wait.count() / 5, wait.count() / 5);
    return wait + Duration(jitter(dice_));
}

}  // namespace millrace::client
