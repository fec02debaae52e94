#pragma once

#include <functional>

#include "base/clock.hpp"
#include "base/mutex.hpp"
#include "store/queue_reader.hpp"

namespace millrace {

// Takes over claims whose owner is gone: the work of a round of dispatcher.mode single, beside that
// of the dispatcher. Which of them are stale, whoever attends to them decides.
//
// Thread-safe; one round at a time.
class StaleRecovery {
public:
    // As RemoteRuns::attend.
    using Attend = std::function<void(const ExecutionKey& key, std::function<void(bool)> done)>;

    StaleRecovery(QueueReader& reader, const Clock& clock, Attend attend);

    // Blocks on the store. `end` is called once, on any thread, when each is taken over or left.
    Status begin(std::function<void()> end);

private:
    void end_one();

    static constexpr std::int32_t kClaimsMax = 1'000;  // A batch full. The others are next.

    QueueReader& reader_;
    const Clock& clock_;
    const Attend attend_;

    Mutex mutex_;
    std::size_t left_ MILLRACE_GUARDED_BY(mutex_) = 0;
    std::function<void()> end_ MILLRACE_GUARDED_BY(mutex_);
};

}  // namespace millrace
