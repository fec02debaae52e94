#pragma once

#include <array>
#include <cstddef>

#include "base/clock.hpp"
#include "base/mutex.hpp"

namespace millrace::runtime {

// The database's time, estimated, so that replicas whose own clocks disagree agree with each other.
//
// Never ahead of the database as long as its clock runs steadily: a sample is taken as if the
// server had read its clock at the last possible moment, so a timer never fires early. Never goes
// back: when the database's clock does (a failover, say), this one runs at half pace until they
// meet. Before the first sample it is the local clock, which may be ahead: nothing is decided by
// it. From then on only the steady clock counts: the local one may be set at any moment, and what
// it then says of the offset would be wrong until all older samples are forgotten. Thread-safe.
class StoreClock final : public Clock {
public:
    // `steady` is never set; where it starts does not matter.
    StoreClock(const Clock& local, const Clock& steady) : local_(local), steady_(steady) {}
    // For a local clock that is steady itself, as that of a test.
    explicit StoreClock(const Clock& local) : StoreClock(local, local) {}

    Instant now() const override;

    // The server said `server_now` at some moment between two readings of the steady clock,
    void observe(Instant server_now, Instant steady_before, Instant steady_after);
    // or before now.
    void observe(Instant server_now);

private:
    static constexpr std::size_t kSamplesKept = 32;

    Duration slewed(Duration wanted, Instant steady_now) MILLRACE_REQUIRES(mutex_);

    const Clock& local_;
    const Clock& steady_;
    mutable Mutex mutex_;
    std::array<Duration, kSamplesKept> samples_ MILLRACE_GUARDED_BY(mutex_){};
    std::size_t sample_count_ MILLRACE_GUARDED_BY(mutex_) = 0;
    Duration offset_ MILLRACE_GUARDED_BY(mutex_){};
    Instant adjusted_at_ MILLRACE_GUARDED_BY(mutex_){};
    mutable Instant last_ MILLRACE_GUARDED_BY(mutex_){};
};

}  // namespace millrace::runtime
