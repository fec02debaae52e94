#include "lease_keeper.hpp"

#include <algorithm>

namespace millrace::client {
namespace {

constexpr int kExtensionsPerLease = 3;
// Of what is left of a lease, so that there is time for more tries.
constexpr int kTriesPerRest = 3;
// After a failed call there is time for some more within the same lease.
constexpr int kTriesPerExtension = 4;
// No server answers faster for sure.
constexpr Duration kExtendWithinMin = std::chrono::milliseconds(250);

// As the server names it; one that names none has lost it for us.
StopCause cause_of(const Error& error) {
    for (const ErrorDetail& detail : error.details) {
        if (detail.path != "cause") continue;
        if (detail.message == "cancelled") return StopCause::instance_cancelled;
        if (detail.message == "timed_out") return StopCause::timeout;
    }
    return StopCause::lease_lost;
}

}  // namespace

LeaseKeeper::LeaseKeeper(std::chrono::seconds lease_duration) : duration_(lease_duration) {}

void LeaseKeeper::add(JobClaim claim, TimePoint claimed_at, OnLost on_lost) {
    const MutexLock lock(mutex_);
    std::string job_id = claim.job_id;
    leases_.insert_or_assign(std::move(job_id),
                             Lease{.claim = std::move(claim),
                                   .due_at = claimed_at + duration_ / kExtensionsPerLease,
                                   .expires_at = claimed_at + duration_,
                                   .on_lost = std::move(on_lost)});
}

void LeaseKeeper::remove(const std::string& job_id) {
    const MutexLock lock(mutex_);
    leases_.erase(job_id);
}

std::optional<LeaseKeeper::TimePoint> LeaseKeeper::next_due() const {
    const MutexLock lock(mutex_);
    std::optional<TimePoint> earliest;
    for (const auto& [job_id, lease] : leases_) {
        const TimePoint at =
            lease.is_extending ? lease.expires_at : std::min(lease.due_at, lease.expires_at);
        if (!earliest || at < *earliest) earliest = at;
    }
    return earliest;
}

std::optional<LeaseKeeper::OnLost> LeaseKeeper::take_expired(TimePoint now) {
    const MutexLock lock(mutex_);
    const auto found = std::ranges::find_if(
        leases_, [&](const auto& entry) { return entry.second.expires_at <= now; });
    if (found == leases_.end()) return std::nullopt;
    OnLost on_lost = std::move(found->second.on_lost);
    leases_.erase(found);
    return on_lost;
}

std::optional<LeaseKeeper::Extension> LeaseKeeper::take_due(TimePoint now) {
    // Told without the lock: what the owner does then may lead back here.
    while (const std::optional<OnLost> on_lost = take_expired(now)) {
        (*on_lost)(StopCause::lease_lost);
    }
    const MutexLock lock(mutex_);
    for (auto& [job_id, lease] : leases_) {
        if (lease.is_extending || lease.due_at > now) continue;
        lease.is_extending = true;
        const auto left = std::chrono::duration_cast<Duration>(lease.expires_at - now);
        const Duration within =
            std::min(left, std::max<Duration>(left / kTriesPerRest, kExtendWithinMin));
        return Extension{.claim = lease.claim, .within = within, .begun_at = now};
    }
    return std::nullopt;
}

void LeaseKeeper::note(const Extension& extension, const Status& status, TimePoint now) {
    OnLost on_lost;
    {
        const MutexLock lock(mutex_);
        const auto found = leases_.find(extension.claim.job_id);
        if (found == leases_.end()) return;
        Lease& lease = found->second;
        lease.is_extending = false;
        if (status) {
            // From before the call: the server began to count no earlier.
            lease.due_at = extension.begun_at + duration_ / kExtensionsPerLease;
            lease.expires_at = extension.begun_at + duration_;
        } else if (is_transient(status.error()) || status.error().status >= 500) {
            lease.due_at = now + std::min(duration_ / kExtensionsPerLease, lease.expires_at - now) /
                                     kTriesPerExtension;
        } else {
            on_lost = std::move(lease.on_lost);
            leases_.erase(found);
        }
    }
    if (on_lost) on_lost(cause_of(status.error()));
}

}  // namespace millrace::client
