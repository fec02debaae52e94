#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/id.hpp"
#include "base/time.hpp"
#include "core/variables/variables.hpp"

namespace millrace {

// On the wire and in the database these are UNLOCKED, LOCKED, COMPLETED, FAILED, CANCELLED.
enum class JobState { unlocked, locked, completed, failed, cancelled };

std::string_view to_string(JobState state);
std::optional<JobState> parse_job_state(std::string_view text);

// Sorted by id first: it is the order in which every store locks rows.
struct JobKey {
    JobId id{};
    WorkspaceId workspace_id{};

    friend auto operator<=>(const JobKey&, const JobKey&) = default;
};

struct Lease {
    WorkerId worker_id{};  // Nobody's name: the engine itself keeps the job back until then.
    Instant locked_at{};
    Instant lock_expires_at{};

    friend bool operator==(const Lease&, const Lease&) = default;
};

// One unit of work for a worker. Only open jobs have rows; how a job ended stands in the history of
// its instance. Invariant: a job has a lease if and only if it is locked.
struct Job {
    JobKey key{};
    JobType job_type{};
    std::string step_id{};
    JobState status = JobState::unlocked;
    std::int32_t retries_remaining = 0;
    std::optional<Duration> try_timeout{};  // The longest time of one try, whatever the lease.
    // The place among the waiting jobs of its type. 0 asks the store for a new place at the end.
    std::int64_t seq = 0;
    // Raised by every claim and never reset, so it names the latest claim for good.
    std::int64_t lease_token = 0;
    std::optional<Lease> lease{};
    Instant created_at{};
    // Of the job that asked for the same work before its instance failed and was retried; 0: none.
    std::uint32_t first_sequence = 0;
    // The W3C trace context that its worker goes on with; empty for none.
    std::string trace_parent{};
    // The variables at the job's creation. Absent as long as they are still those of the instance.
    std::optional<Variables> variables{};

    friend bool operator==(const Job&, const Job&) = default;
};

// What a worker hands on, so that others see who asks them again: the same in all tries, also after
// a retry of the instance.
inline Id128 idempotency_key_of(const Job& job) {
    const Id128& own = job.key.id.value;
    return job.first_sequence == 0 ? own : own.with_sequence(job.first_sequence);
}

// Whether the engine keeps the job back: it waits for its next try, or its instance is suspended.
// In the database it is LOCKED then, by nobody, so that the reaper of leases brings it back.
constexpr bool is_kept_back(const Job& job) {
    return job.lease && job.lease->worker_id.value.empty();
}

// When a job that is kept back for its suspended instance would come back by itself: never.
inline constexpr Instant kEndOfTime{std::chrono::seconds{253'402'300'799}};  // In the year 9999.

}  // namespace millrace
