#include "scheduler/instance_sweep.hpp"

#include "core/limits.hpp"
#include "engine/remove_instances.hpp"

namespace millrace {

Result<Sweep::Step> InstanceSweep::step(Instant now, std::function<void(bool)> done) {
    if (!expired_before_) return next_definition(now);
    const Result<std::vector<InstanceEnd>> ends = reader_.instance_ends(
        definition_, after_, {first_id_at(*expired_before_)}, limits::kRetentionLookedMax);
    if (!ends) return ends.error();

    RemoveInstances removal{take_expired(*ends), *expired_before_};
    const bool has_more = std::ssize(*ends) == limits::kRetentionLookedMax ||
                          (!ends->empty() && after_ != ends->back().id);
    if (!has_more) expired_before_.reset();
    if (removal.instances.empty()) return Step::looked;
    queue_.submit(std::move(removal), [done = std::move(done)](const auto& removed) {
        done(static_cast<bool>(removed));
    });
    return Step::submitted;
}

Result<Sweep::Step> InstanceSweep::next_definition(Instant now) {
    Result<std::optional<DefinitionName>> next = reader_.next_definition(definition_);
    if (!next) return next.error();
    definition_ = next->value_or(DefinitionName{});
    if (!*next) return Step::over;
    expired_before_ = rules_.expired_before(definition_.workspace_id, definition_.id, now);
    after_ = {};
    return Step::looked;
}

std::vector<InstanceKey> InstanceSweep::take_expired(const std::vector<InstanceEnd>& ends) {
    std::vector<InstanceKey> expired;
    for (const InstanceEnd& end : ends) {
        if (expired.size() == limits::kInstancesRemovedMax) break;
        if (end.completed_at && *end.completed_at < *expired_before_) {
            expired.push_back({end.id, definition_.workspace_id});
        }
        after_ = end.id;
    }
    return expired;
}

}  // namespace millrace
