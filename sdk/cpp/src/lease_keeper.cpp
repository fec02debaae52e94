#include "lease_keeper.hpp"

namespace millrace::client {
namespace {

constexpr int kExtensionsPerLease = 3;
// After a failed call there is time for some more within the same lease.
constexpr int kTriesPerExtension = 4;

}  // namespace

LeaseKeeper::LeaseKeeper(std::chrono::seconds lease_duration, Extend extend)
    : interval_(std::chrono::nanoseconds(lease_duration) / kExtensionsPerLease),
      extend_(std::move(extend)) {}

void LeaseKeeper::add(JobClaim claim, TimePoint claimed_at) {
    const MutexLock lock(mutex_);
    std::string job_id = claim.job_id;
    leases_.insert_or_assign(std::move(job_id), Lease{std::move(claim), claimed_at + interval_});
}

void LeaseKeeper::remove(const std::string& job_id) {
    const MutexLock lock(mutex_);
    leases_.erase(job_id);
}

std::optional<LeaseKeeper::TimePoint> LeaseKeeper::next_due() const {
    const MutexLock lock(mutex_);
    std::optional<TimePoint> earliest;
    for (const auto& [job_id, lease] : leases_) {
        if (!earliest || lease.due_at < *earliest) earliest = lease.due_at;
    }
    return earliest;
}

void LeaseKeeper::extend_due(TimePoint now) {
    for (const JobClaim& claim : due_claims(now)) note(claim, extend_(claim), now);
}

std::vector<JobClaim> LeaseKeeper::due_claims(TimePoint now) const {
    const MutexLock lock(mutex_);
    std::vector<JobClaim> claims;
    for (const auto& [job_id, lease] : leases_) {
        if (lease.due_at <= now) claims.push_back(lease.claim);
    }
    return claims;
}

void LeaseKeeper::note(const JobClaim& claim, const Status& status, TimePoint now) {
    const MutexLock lock(mutex_);
    const auto found = leases_.find(claim.job_id);
    if (found == leases_.end()) return;
    if (status) {
        found->second.due_at = now + interval_;
    } else if (is_transient(status.error())) {
        found->second.due_at = now + interval_ / kTriesPerExtension;
    } else {
        leases_.erase(found);
    }
}

}  // namespace millrace::client
