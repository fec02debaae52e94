#include "store/sqlite/sqlite_job_claimer.hpp"

#include <algorithm>

#include "core/job/transitions.hpp"
#include "store/sqlite/row_lists.hpp"
#include "store/sqlite/rows.hpp"
#include "store_sqlite_sql.hpp"

namespace millrace::sqlite {

namespace {

Result<DeliveredJob> delivered_from(const Row& row) {
    constexpr int kVariablesAtCreation = 16;
    Result<Job> job = job_from(row);
    if (!job) return job.error();
    DeliveredJob delivered{.job = std::move(*job)};
    if (!row.is_null(kVariablesAtCreation)) {
        delivered.variables = Variables::from_text(std::string(row.text(kVariablesAtCreation)));
    }
    return delivered;
}

bool is_passed_over(const ClaimJobs& request, JobId id) {
    return std::ranges::find(request.passed_over, id) != request.passed_over.end();
}

Result<std::vector<DeliveredJob>> find_waiting(Connection& connection, const ClaimJobs& request) {
    std::vector<DeliveredJob> waiting;
    std::int64_t bytes = 0;
    const auto add = [&](const Row& row) -> Result<bool> {
        // A corrupt row stays where it is, is read past, and hurts nobody else.
        Result<DeliveredJob> job = delivered_from(row);
        if (!job || is_passed_over(request, job->job.key.id)) return true;
        bytes += std::ssize(job->variables.text());
        waiting.push_back(std::move(*job));
        return waiting.size() < request.slots.size() && bytes < request.bytes_max;
    };
    if (request.slots.empty()) return waiting;
    const Status status = connection.for_some(sql::waiting_jobs, add, request.workspace_id,
                                              request.job_type, request.seq_after);
    if (!status) return status.error();
    return waiting;
}

Result<std::vector<DeliveredJob>> claim_waiting(Connection& connection, const ClaimJobs& request) {
    Result<std::vector<DeliveredJob>> jobs = find_waiting(connection, request);
    if (!jobs) return jobs;
    const Instant now = request.now();
    for (std::size_t i = 0; i < jobs->size(); ++i) {
        Job& job = (*jobs)[i].job;
        const ClaimSlot& slot = request.slots[i];
        Result<Job> claimed = claim(std::move(job), slot.worker_id, slot.lease_duration, now);
        if (!claimed) return claimed.error();
        job = std::move(*claimed);
        const Status status =
            connection.run(sql::claim_jobs, job.key.workspace_id, job.key.id, job.lease_token,
                           job.lease->worker_id, job.lease->locked_at, job.lease->lock_expires_at);
        if (!status) return status.error();
    }
    return jobs;
}

Result<std::optional<WorkspaceId>> next_waiting_workspace(Connection& connection,
                                                          const WorkspaceId& after) {
    const auto workspace_from = [](const Row& row) -> Result<WorkspaceId> {
        return WorkspaceId{std::string(row.text(0))};
    };
    return read_first<WorkspaceId>(connection, sql::next_waiting_workspace, workspace_from, after);
}

Result<std::vector<WaitingType>> skip_through_workspaces(Connection& connection,
                                                         const std::vector<JobType>& job_types) {
    std::vector<WaitingType> types;
    WorkspaceId after;
    for (;;) {
        const auto workspace_id = next_waiting_workspace(connection, after);
        if (!workspace_id) return workspace_id.error();
        if (!*workspace_id) break;
        after = **workspace_id;
        for (const JobType& type : job_types) {
            const auto found =
                read_first<std::int64_t>(connection, sql::waiting_types, integer_from, after, type);
            if (!found) return found.error();
            if (*found) types.push_back({after, type});
        }
    }
    std::ranges::sort(types);
    return types;
}

}  // namespace

Result<std::vector<DeliveredJob>> SqliteJobClaimer::claim_jobs(const ClaimJobs& request) {
    const Turn turn = writer_.take_turn();
    const Result<Connection*> connection = writer_.begin(Forced::with_the_next);
    if (!connection) return connection.error();
    Result<std::vector<DeliveredJob>> delivered = claim_waiting(**connection, request);
    if (!delivered) {
        writer_.rollback_after(delivered.error());
        return delivered;
    }
    if (Status status = writer_.commit(); !status) return status.error();
    return delivered;
}

Result<std::vector<WaitingType>> SqliteJobClaimer::waiting_types(
    const std::vector<JobType>& job_types) {
    const Turn turn = writer_.take_turn();
    const Result<Connection*> connection = writer_.begin();
    if (!connection) return connection.error();
    Result<std::vector<WaitingType>> types = skip_through_workspaces(**connection, job_types);
    if (types) {
        writer_.rollback();
    } else {
        writer_.rollback_after(types.error());
    }
    return types;
}

}  // namespace millrace::sqlite
