#include "store/memory/memory_lock_table.hpp"

#include <algorithm>

namespace millrace {

Result<bool> MemoryLockTable::lock(std::string_view name, std::string_view holder,
                                   Duration at_most) {
    const MutexLock guard(locks_.mutex);
    const Instant now = clock_.now();
    const auto found = locks_.rows.find(name);
    if (found != locks_.rows.end() && found->second.lock_until > now) return false;
    locks_.rows.insert_or_assign(std::string(name),
                                 MemoryLocks::Row{now + at_most, now, std::string(holder)});
    return true;
}

Status MemoryLockTable::unlock(std::string_view name, std::string_view holder, Duration at_least) {
    const MutexLock guard(locks_.mutex);
    const auto found = locks_.rows.find(name);
    if (found == locks_.rows.end() || found->second.locked_by != holder) return ok();
    MemoryLocks::Row& row = found->second;
    row.lock_until = std::max(clock_.now(), row.locked_at + at_least);
    return ok();
}

}  // namespace millrace
