#pragma once

#include <chrono>
#include <functional>
#include <optional>

#include "base/clock.hpp"
#include "base/mutex.hpp"
#include "base/round.hpp"
#include "commit/command_queue.hpp"
#include "store/reader.hpp"

namespace millrace {

// Forgets, once an hour, the idempotency keys that are older than kIdempotencyKept: one small batch
// after the other, so that nobody waits for it. A duty of the cluster; where
// two replicas do it for a moment, what one has forgotten is gone for the other.
class IdempotencyForgetter {
public:
    static constexpr Duration kInterval = std::chrono::hours{1};

    // `wake` is called when run_once should be, on any thread.
    IdempotencyForgetter(Reader& reader, CommandQueue& queue, const Clock& clock,
                         std::function<void()> wake)
        : reader_(reader), queue_(queue), clock_(clock), wake_(std::move(wake)) {}

    Round run_once();

private:
    void end_batch(bool is_done);

    Reader& reader_;
    CommandQueue& queue_;
    const Clock& clock_;
    std::function<void()> wake_;

    Mutex mutex_;
    bool is_under_way_ MILLRACE_GUARDED_BY(mutex_) = false;
    Instant next_at_ MILLRACE_GUARDED_BY(mutex_){};
};

}  // namespace millrace
