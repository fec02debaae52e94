#include "scheduler/lease_reaper.hpp"

#include "engine/expire_lease.hpp"

namespace millrace {

LeaseReaper::Source lease_source(Reader& reader, CommandQueue& queue,
                                 std::function<void()> on_expired) {
    return {
        .due = [&reader](Instant now,
                         std::int32_t count_max) { return reader.expired_leases(now, count_max); },
        .next = [&reader] { return reader.next_lease_expiry(); },
        .submit =
            [&queue, on_expired](const JobKey& job, std::function<void(bool)> done) {
                queue.submit(ExpireLease{job}, [on_expired, done = std::move(done)](
                                                   const Result<ExpiredLease>& lease) {
                    const bool is_try_over = lease && (*lease == ExpiredLease::worker_lost ||
                                                       *lease == ExpiredLease::timed_out);
                    if (is_try_over) on_expired();
                    done(static_cast<bool>(lease));
                });
            },
    };
}

}  // namespace millrace
