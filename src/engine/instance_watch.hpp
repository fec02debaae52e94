#pragma once

#include <atomic>
#include <functional>
#include <map>
#include <memory>

#include "base/mutex.hpp"
#include "store/effects.hpp"

namespace millrace {

// Tells those who watch an instance that it was changed. Thread-safe.
class InstanceWatch {
public:
    // Called on a committer's thread: it hands over and returns.
    using Hook = std::function<void()>;

    // Ends when the last copy of the answer is gone; a call that is under way then may still come.
    std::shared_ptr<void> watch(const InstanceKey& key, Hook hook);

    void on_commit(const Writes& writes);
    // Somebody else has changed it.
    void on_change(const InstanceKey& key);

private:
    using Hooks = std::multimap<InstanceKey, std::shared_ptr<const Hook>>;

    void collect(const InstanceKey& key, std::vector<std::shared_ptr<const Hook>>& out)
        MILLRACE_REQUIRES(mutex_);
    void collect(const std::vector<Instance>& instances,
                 std::vector<std::shared_ptr<const Hook>>& out) MILLRACE_REQUIRES(mutex_);

    std::atomic<std::size_t> count_ = 0;  // Commits look here first: mostly nobody watches.
    Mutex mutex_;
    Hooks hooks_ MILLRACE_GUARDED_BY(mutex_);
};

}  // namespace millrace
