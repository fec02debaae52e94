#include "queue/stale_recovery.hpp"

#include <utility>

namespace millrace {

StaleRecovery::StaleRecovery(QueueReader& reader, const Clock& clock, Attend attend)
    : reader_(reader), clock_(clock), attend_(std::move(attend)) {}

Status StaleRecovery::begin(std::function<void()> end) {
    const Result<std::vector<ExecutionKey>> claims =
        reader_.unattended_executions(Unattended::claims, clock_.now(), kClaimsMax);
    if (!claims) return claims.error();
    if (claims->empty()) {
        end();
        return ok();
    }
    {
        const MutexLock lock(mutex_);
        left_ = claims->size();
        end_ = std::move(end);
    }
    for (const ExecutionKey& key : *claims) attend_(key, [this](bool) { end_one(); });
    return ok();
}

void StaleRecovery::end_one() {
    std::function<void()> end;
    {
        const MutexLock lock(mutex_);
        if (--left_ > 0) return;
        end = std::exchange(end_, {});
    }
    end();
}

}  // namespace millrace
