#include "scheduler/definition_sweep.hpp"

#include <algorithm>
#include <chrono>

#include "core/limits.hpp"

namespace millrace {

Result<Sweep::Step> DefinitionSweep::step(Instant now, std::function<void(bool)> done) {
    if (!expired_before_) return next_definition(now);
    const Instant ended_before = *expired_before_;
    const Result<std::vector<End>> ends =
        read(definition_, after_, first_id_at(ended_before), limits::kRetentionLookedMax);
    if (!ends) return ends.error();

    Removal removal{.after = after_, .expired_before = ended_before};
    removal.ids = take_expired(*ends);
    const std::vector<Id128> expired = removal.ids;
    const bool has_more = std::ssize(*ends) == limits::kRetentionLookedMax ||
                          (!ends->empty() && after_ != ends->back().id);
    if (!has_more) expired_before_.reset();
    if (expired.empty()) return Step::looked;
    remove(definition_.workspace_id, expired, ended_before,
           [this, removal = std::move(removal), done = std::move(done)](const Status& status) {
               done(end_removal(removal, status));
           });
    return Step::submitted;
}

bool DefinitionSweep::end_removal(const Removal& removal, const Status& status) {
    is_passing_ = static_cast<bool>(status);
    if (status) return true;
    const Error& error = status.error();
    const bool is_away = is_store_down(error) || error.code == ErrorCode::commit_unknown;
    if (!is_away && removal.ids.size() == 1) {
        if (note_) note_(definition_.workspace_id, removal.ids.front(), error);
        return true;
    }
    after_ = removal.after;
    expired_before_ = removal.expired_before;
    if (!is_away) count_max_ = removal.ids.size() / 2;
    return !is_away;
}

// The clock only says how many are tried at once, not what becomes of them.
void DefinitionSweep::note_duration(Duration took) {
    using namespace std::chrono_literals;
    if (took > 1s) count_max_ = std::max<std::size_t>(1, count_max_ / 2);
    if (is_passing_ && took < 250ms)
        count_max_ = std::min(limits::kInstancesRemovedMax, count_max_ * 2);
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
        if (expired.size() == count_max_) break;
        if (end.completed_at && *end.completed_at < *expired_before_) expired.push_back(end.id);
        after_ = end.id;
    }
    return expired;
}

}  // namespace millrace
