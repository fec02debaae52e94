#pragma once

#include "core/job/transitions.hpp"

namespace millrace {

using namespace std::chrono_literals;

// The world in which most tests play.
inline constexpr Instant kNoon{std::chrono::sys_days{std::chrono::year{2030} / 1 / 1} + 12h};
inline constexpr Duration kLease = 30s;
inline const WorkspaceId kWorkspace{"acme"};
inline const WorkerId kWorker{"worker-1"};
inline const WorkerId kOtherWorker{"worker-2"};
inline const JobType kCharge{"charge-card"};

// Job n of instance n.
inline JobKey job_key(std::uint64_t n) {
    return {.id = {Id128::for_instance(kNoon, n).with_sequence(2)}, .workspace_id = kWorkspace};
}

inline Job unlocked_job(std::uint64_t n) {
    return {
        .key = job_key(n),
        .job_type = kCharge,
        .step_id = "charge",
        .retries_remaining = 1,
        .created_at = kNoon,
    };
}

inline Job locked_job(std::uint64_t n) {
    return *claim(unlocked_job(n), kWorker, kLease, kNoon);
}

inline Job job_in(JobState state) {
    Job job = state == JobState::unlocked ? unlocked_job(1) : locked_job(1);
    if (state != JobState::locked) job.lease.reset();
    job.status = state;
    job.lease_token = 1;
    return job;
}

}  // namespace millrace
