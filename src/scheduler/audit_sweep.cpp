#include "scheduler/audit_sweep.hpp"

#include "core/limits.hpp"
#include "engine/remove_audit_entries.hpp"

namespace millrace {

Result<Sweep::Step> AuditSweep::step(Instant now, std::function<void(bool)> done) {
    if (!expired_before_) return next_workspace(now);
    Result<std::vector<AuditKey>> expired = reader_.oldest_audit_entries(
        workspace_id_, {first_id_at(*expired_before_)}, limits::kAuditRemovedMax);
    if (!expired) return expired.error();
    if (expired->size() < limits::kAuditRemovedMax) expired_before_.reset();
    if (expired->empty()) return Step::looked;
    queue_.submit_duty(
        RemoveAuditEntries{std::move(*expired)},
        [done = std::move(done)](const auto& removed) { done(static_cast<bool>(removed)); });
    return Step::submitted;
}

Result<Sweep::Step> AuditSweep::next_workspace(Instant now) {
    const Result<std::optional<WorkspaceId>> next = reader_.next_audited_workspace(workspace_id_);
    if (!next) return next.error();
    workspace_id_ = next->value_or(WorkspaceId{});
    if (!*next) return Step::over;
    expired_before_ = rules_.expired_before(workspace_id_, now);
    return Step::looked;
}

}  // namespace millrace
