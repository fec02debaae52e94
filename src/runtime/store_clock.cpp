#include "runtime/store_clock.hpp"

#include <algorithm>

#include "base/check.hpp"

namespace millrace::runtime {

// `last_` only matters to readers that raced with an adjustment. What the local clock said before
// must not hold this one: if that was ahead, it would stand still until the database is there.
Instant StoreClock::now() const {
    const MutexLock lock(mutex_);
    if (sample_count_ == 0) return local_.now();
    last_ = std::max(last_, steady_.now() + offset_);
    return last_;
}

void StoreClock::observe(Instant server_now) {
    const Instant now = steady_.now();
    observe(server_now, now, now);
}

void StoreClock::observe(Instant server_now, Instant steady_before, Instant steady_after) {
    MILLRACE_CHECK(steady_before <= steady_after);
    const MutexLock lock(mutex_);
    samples_[sample_count_++ % kSamplesKept] = server_now - steady_after;

    // Each sample is a lower bound of the offset, so the highest is the best; only the latest ones
    // count, because clocks drift.
    const auto count = static_cast<std::ptrdiff_t>(std::min(sample_count_, kSamplesKept));
    const Duration best = *std::max_element(samples_.begin(), samples_.begin() + count);
    offset_ = slewed(best, steady_after);
    adjusted_at_ = std::max(adjusted_at_, steady_after);
}

Duration StoreClock::slewed(Duration wanted, Instant steady_now) {
    const bool is_first = sample_count_ == 1;
    if (is_first || wanted >= offset_) return wanted;
    const Duration elapsed = std::max(Duration(0), Duration(steady_now - adjusted_at_));
    return std::max(wanted, offset_ - elapsed / 2);
}

}  // namespace millrace::runtime
