#include "scheduler/lease_reaper.hpp"

#include "engine/expire_lease.hpp"
#include "scheduler/refused_duty.hpp"

namespace millrace {

LeaseReaper::Source lease_source(Reader& reader, CommandQueue& queue,
                                 std::function<void()> on_expired, const RefusedNote& note) {
    return {
        .next = [&reader](Instant after) { return reader.next_lease_expiry(after); },
        .submit =
            [&queue, on_expired, note](const JobKey& job, std::function<void(const Status&)> done) {
                const auto end = [&queue, job, on_expired, note,
                                  done = std::move(done)](const Result<ExpiredLease>& lease) {
                    const bool is_try_over = lease && (*lease == ExpiredLease::worker_lost ||
                                                       *lease == ExpiredLease::timed_out);
                    if (is_try_over) on_expired();
                    const InstanceKey instance{instance_of(job.id), job.workspace_id};
                    end_step_duty(queue, instance, job.id.value.sequence(), "its lease cannot end",
                                  lease ? ok() : Status(lease.error()), note, done);
                };
                queue.submit_duty(ExpireLease{job}, end);
            },
        .due_after =
            [&reader](Instant now, const std::optional<Due<JobKey>>& after,
                      std::int32_t count_max) {
                return reader.expired_leases(now, after, count_max);
            },
    };
}

}  // namespace millrace
