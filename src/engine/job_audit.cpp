#include "engine/job_audit.hpp"

#include <algorithm>
#include <array>
#include <set>
#include <tuple>
#include <utility>

namespace millrace {

namespace {

constexpr std::array<std::pair<JobAuditKind, std::string_view>, 4> kNames{{
    {JobAuditKind::dispatched, "JOB_DISPATCHED"},
    {JobAuditKind::completed, "JOB_COMPLETED"},
    {JobAuditKind::failed, "JOB_FAILED"},
    {JobAuditKind::retried, "JOB_RETRIED"},
}};

auto order_of(const JobAuditEntry& entry) {
    return std::tie(entry.at, entry.job, entry.lease_token, entry.kind);
}

// A job that failed has failed with its last try; after every other one it was in line again.
JobAuditKind kind_of(const Try& ended, bool job_failed_with_it) {
    if (ended.outcome == TryOutcome::completed) return JobAuditKind::completed;
    return job_failed_with_it ? JobAuditKind::failed : JobAuditKind::retried;
}

JobType type_of(const StepExecution& line, const Definition* definition) {
    const Step* step = definition == nullptr ? nullptr : definition->find_step(line.step_id);
    return step == nullptr ? JobType{} : JobType{step->job_type};
}

void append_tries(std::vector<JobAuditEntry>& out, const StepExecution& step,
                  const Definition* definition) {
    const bool has_failed = step.job_status == JobState::failed;
    for (const Try& ended : step.tries) {
        JobAuditEntry entry{
            .job = {job_of(step.key.id), step.key.workspace_id},
            .lease_token = ended.lease_token,
            .step_id = step.step_id,
            .job_type = type_of(step, definition),
            .worker_id = ended.worker_id,
        };
        if (ended.started_at) {
            entry.at = *ended.started_at;
            out.push_back(entry);
        }
        entry.at = ended.ended_at;
        entry.kind = kind_of(ended, has_failed && &ended == &step.tries.back());
        entry.message = ended.message;
        out.push_back(std::move(entry));
    }
}

using LeaseName = std::pair<JobKey, std::int64_t>;

std::set<LeaseName> leases_in(const std::vector<JobAuditEntry>& entries) {
    std::set<LeaseName> leases;
    for (const JobAuditEntry& entry : entries) leases.emplace(entry.job, entry.lease_token);
    return leases;
}

}  // namespace

std::string_view to_string(JobAuditKind kind) {
    return std::ranges::find(kNames, kind, &decltype(kNames)::value_type::first)->second;
}

std::optional<JobAuditKind> parse_job_audit_kind(std::string_view text) {
    const auto found = std::ranges::find(kNames, text, &decltype(kNames)::value_type::second);
    if (found == kNames.end()) return std::nullopt;
    return found->first;
}

std::vector<JobAuditEntry> job_audit(const InstanceHistory& history,
                                     const std::vector<Job>& open_jobs,
                                     const Definition* definition) {
    std::vector<JobAuditEntry> entries;
    for (const StepExecution& step : history.closed) append_tries(entries, step, definition);
    for (const StepExecution& step : open_step_executions(history.instance)) {
        append_tries(entries, step, definition);
    }
    const std::set<LeaseName> told = leases_in(entries);
    for (const Job& job : open_jobs) {
        const bool is_dispatched = job.lease && !is_kept_back(job);
        if (!is_dispatched || told.contains({job.key, job.lease_token})) continue;
        entries.push_back({
            .job = job.key,
            .lease_token = job.lease_token,
            .at = job.lease->locked_at,
            .step_id = job.step_id,
            .job_type = job.job_type,
            .worker_id = job.lease->worker_id,
        });
    }
    std::ranges::sort(entries, {}, order_of);
    return entries;
}

}  // namespace millrace
