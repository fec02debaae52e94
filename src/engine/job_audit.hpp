#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "store/reader.hpp"

namespace millrace {

// What happens to jobs, as an audit shows it: JOB_DISPATCHED (a worker got it), and how that try
// ended: JOB_COMPLETED, JOB_FAILED (and the job with it) or JOB_RETRIED (it is in line again).
enum class JobAuditKind { dispatched, completed, failed, retried };

std::string_view to_string(JobAuditKind kind);
std::optional<JobAuditKind> parse_job_audit_kind(std::string_view text);

// One line about a job. It has no row: history and the open jobs say it all.
struct JobAuditEntry {
    JobKey job{};
    std::int64_t lease_token = 0;
    Instant at{};
    JobAuditKind kind = JobAuditKind::dispatched;
    std::string step_id{};
    JobType job_type{};  // Empty when its definition is gone.
    WorkerId worker_id{};
    std::string message{};

    friend bool operator==(const JobAuditEntry&, const JobAuditEntry&) = default;
};

// All that history tells about the jobs of an instance, by time. `open_jobs` are those of the
// instance: who holds one now has ended no try yet. They may have been read a moment before the
// history; nothing is told twice for that. `definition` is that of the instance; it knows the types
// of jobs, which history does not keep. Null: it is gone.
std::vector<JobAuditEntry> job_audit(const InstanceHistory& history,
                                     const std::vector<Job>& open_jobs,
                                     const Definition* definition);

}  // namespace millrace
