#include "scheduler/definition_sweep.hpp"

#include "core/limits.hpp"

namespace millrace {

Result<Sweep::Step> DefinitionSweep::step(Instant now, std::function<void(bool)> done) {
    if (!expired_before_) return next_definition(now);
    const Instant ended_before = *expired_before_;
    const Result<std::vector<End>> ends =
        read(definition_, after_, first_id_at(ended_before), limits::kRetentionLookedMax);
    if (!ends) return ends.error();

    const std::vector<Id128> expired = take_expired(*ends);
    const bool has_more = std::ssize(*ends) == limits::kRetentionLookedMax ||
                          (!ends->empty() && after_ != ends->back().id);
    if (!has_more) expired_before_.reset();
    if (expired.empty()) return Step::looked;
    remove(definition_.workspace_id, expired, ended_before, std::move(done));
    return Step::submitted;
}

Result<Sweep::Step> DefinitionSweep::next_definition(Instant now) {
    Result<std::optional<DefinitionName>> next = reader_.next_definition(definition_);
    if (!next) return next.error();
    definition_ = next->value_or(DefinitionName{});
    if (!*next) return Step::over;
    expired_before_ = rules_.expired_before(definition_.workspace_id, definition_.id, now);
    after_ = {};
    return Step::looked;
}

std::vector<Id128> DefinitionSweep::take_expired(const std::vector<End>& ends) {
    std::vector<Id128> expired;
    for (const End& end : ends) {
        if (expired.size() == limits::kInstancesRemovedMax) break;
        if (end.completed_at && *end.completed_at < *expired_before_) expired.push_back(end.id);
        after_ = end.id;
    }
    return expired;
}

}  // namespace millrace
