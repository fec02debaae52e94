#pragma once

#include <map>
#include <string>

#include "base/clock.hpp"
#include "base/mutex.hpp"
#include "store/lock_table.hpp"

namespace millrace {

// What the connections to one lock table share.
struct MemoryLocks {
    struct Row {
        Instant lock_until{};
        Instant locked_at{};
        std::string locked_by{};
    };

    Mutex mutex{};
    std::map<std::string, Row, std::less<>> rows MILLRACE_GUARDED_BY(mutex);
};

// The reference for what a lock table does, by a clock that tests can move.
class MemoryLockTable final : public LockTable {
public:
    MemoryLockTable(MemoryLocks& locks, const Clock& clock) : locks_(locks), clock_(clock) {}

    Status prepare(LockTableMode) override { return ok(); }
    Result<bool> lock(std::string_view name, std::string_view holder, Duration at_most) override;
    Status unlock(std::string_view name, std::string_view holder, Duration at_least) override;

private:
    MemoryLocks& locks_;
    const Clock& clock_;
};

}  // namespace millrace
