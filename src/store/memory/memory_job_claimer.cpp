#include "store/memory/memory_job_claimer.hpp"

#include <algorithm>
#include <set>

#include "core/job/transitions.hpp"
#include "store/storable_text.hpp"

namespace millrace {

namespace {

std::map<std::int64_t, MemoryRow<Job>*> waiting_jobs(MemoryTables& tables,
                                                     const ClaimJobs& request) {
    std::map<std::int64_t, MemoryRow<Job>*> waiting;
    for (auto& [key, row] : tables.jobs) {
        const Job& job = row.row;
        const bool wanted =
            job.status == JobState::unlocked && job.seq > request.seq_after &&
            job.job_type == request.job_type && key.workspace_id == request.workspace_id &&
            std::ranges::find(request.passed_over, key.id) == request.passed_over.end();
        if (wanted) waiting.emplace(job.seq, &row);
    }
    return waiting;
}

Variables variables_of(const MemoryTables& tables, const Job& job) {
    if (job.variables) return *job.variables;
    const auto instance = tables.instances.find(
        {.id = instance_of(job.key.id), .workspace_id = job.key.workspace_id});
    return instance == tables.instances.end() ? Variables{} : instance->second.row.variables;
}

}  // namespace

Result<std::vector<DeliveredJob>> MemoryJobClaimer::claim_jobs(const ClaimJobs& request) {
    for (const ClaimSlot& slot : request.slots) {
        if (is_storable(slot.worker_id.value)) continue;
        return Error{ErrorCode::data_refused, "A worker id is not UTF-8 or contains a NUL."};
    }

    const MutexLock guard(state_.mutex);
    MemoryTables& tables = state_.tables;
    tables.commit_number += 1;
    const Instant now = request.now();
    std::vector<DeliveredJob> delivered;
    std::int64_t bytes = 0;
    for (const auto& [seq, row] : waiting_jobs(tables, request)) {
        if (delivered.size() == request.slots.size() || bytes >= request.bytes_max) break;
        const ClaimSlot& slot = request.slots[delivered.size()];
        row->row = *claim(row->row, slot.worker_id, slot.lease_duration, now);
        row->commit_number = tables.commit_number;
        delivered.push_back({.job = row->row, .variables = variables_of(tables, row->row)});
        bytes += std::ssize(delivered.back().variables.text());
    }
    return delivered;
}

Result<std::vector<WaitingType>> MemoryJobClaimer::waiting_types(
    const std::vector<JobType>& job_types) {
    const std::set<JobType> asked(job_types.begin(), job_types.end());
    const MutexLock guard(state_.mutex);
    std::set<WaitingType> types;
    for (const auto& [key, row] : state_.tables.jobs) {
        if (row.row.status != JobState::unlocked || !asked.contains(row.row.job_type)) continue;
        types.insert({.workspace_id = key.workspace_id, .job_type = row.row.job_type});
    }
    return std::vector<WaitingType>(types.begin(), types.end());
}

}  // namespace millrace
