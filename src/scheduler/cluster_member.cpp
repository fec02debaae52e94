#include "scheduler/cluster_member.hpp"

#include <algorithm>
#include <utility>

namespace millrace {

namespace {

bool has(const std::vector<Replica>& replicas, const Id128& id) {
    return std::ranges::any_of(replicas, [&](const Replica& each) { return each.id == id; });
}

}  // namespace

Round ClusterMember::run_once() {
    const Instant now = clock_.now();
    const bool is_hastened = is_hastened_.exchange(false);
    if (now < next_at_ && !is_hastened) return {.next_at = next_at_};
    if (!beat(now)) return {.unhealthy = true};
    next_at_ = now + kBeat;
    return {.next_at = next_at_};
}

void ClusterMember::leave() {
    set_lease(std::nullopt, {});
    // Whoever cannot say so is found silent.
    (void)cluster_.leave(self_.id);
}

std::optional<DutyLease> ClusterMember::lease() const {
    const Instant now = clock_.now();
    const MutexLock lock(mutex_);
    std::optional<DutyLease> lease = now < lease_until_ ? lease_ : std::nullopt;
    if (!lease) was_missed_ = true;
    return lease;
}

std::vector<Replica> ClusterMember::replicas() const {
    const MutexLock lock(mutex_);
    return replicas_;
}

Status ClusterMember::beat(Instant now) {
    const Result<std::vector<Replica>> replicas = cluster_.report(self_, kFresh);
    if (!replicas) return replicas.error();
    std::vector<Replica> before;
    {
        const MutexLock lock(mutex_);
        before = std::exchange(replicas_, *replicas);
    }
    tell_of_changes(before, *replicas);

    const Result<std::optional<DutyLease>> lease = cluster_.hold(kDuty, self_.id, kLeaseDuration);
    if (!lease) return lease.error();
    // Counted from before the question, so that it ends here no later than in the store.
    set_lease(*lease, now + kLeaseDuration);
    return ok();
}

void ClusterMember::tell_of_changes(const std::vector<Replica>& before,
                                    const std::vector<Replica>& after) {
    for (const Replica& each : after) {
        if (each.id != self_.id && !has(before, each.id)) listener_.came(each);
    }
    for (const Replica& each : before) {
        if (each.id != self_.id && !has(after, each.id)) listener_.gone(each);
    }
}

void ClusterMember::set_lease(std::optional<DutyLease> lease, Instant lease_until) {
    bool has_changed = false;
    {
        const MutexLock lock(mutex_);
        // One that ran out and is held again has changed for whoever asked in between.
        has_changed = lease_ != lease || (lease && was_missed_);
        was_missed_ = false;
        lease_ = std::move(lease);
        lease_until_ = lease_until;
    }
    if (has_changed) listener_.lease_changed();
}

}  // namespace millrace
