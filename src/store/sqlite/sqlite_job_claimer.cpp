#include "store/sqlite/sqlite_job_claimer.hpp"

#include "store/sqlite/rows.hpp"
#include "store_sqlite_sql.hpp"

namespace millrace::sqlite {

namespace {

Result<DeliveredJob> delivered_from(const Row& row) {
    constexpr int kVariablesAtCreation = 13;
    Result<Job> job = job_from(row);
    if (!job) return job.error();
    DeliveredJob delivered{.job = std::move(*job)};
    if (!row.is_null(kVariablesAtCreation)) {
        delivered.variables = Variables::from_text(std::string(row.text(kVariablesAtCreation)));
    }
    return delivered;
}

Result<std::vector<DeliveredJob>> claim(Connection& connection, const ClaimJobs& request) {
    std::vector<DeliveredJob> delivered;
    const Instant now = request.now();
    const auto add = [&](const Row& row) -> Status {
        Result<DeliveredJob> job = delivered_from(row);
        if (!job) return job.error();
        delivered.push_back(std::move(*job));
        return ok();
    };
    for (const ClaimSlot& slot : request.slots) {
        const std::size_t count = delivered.size();
        const std::int64_t seq_after =
            delivered.empty() ? request.seq_after : delivered.back().job.seq;
        Status status =
            connection.for_each(sql::claim_jobs, add, request.workspace_id, request.job_type,
                                seq_after, slot.worker_id, now + slot.lease_duration, now);
        if (!status) return status.error();
        if (delivered.size() == count) break;
    }
    return delivered;
}

Result<std::vector<WaitingType>> skip_through_types(Connection& connection) {
    std::vector<WaitingType> types;
    WaitingType behind;
    bool found = true;
    const auto read = [&](const Row& row) {
        behind = {{std::string(row.text(0))}, {std::string(row.text(1))}};
        found = true;
        return ok();
    };
    while (true) {
        const WaitingType last = behind;
        found = false;
        Status status =
            connection.for_each(sql::waiting_types, read, last.workspace_id, last.job_type);
        if (!status) return status.error();
        if (!found) return types;
        types.push_back(behind);
    }
}

}  // namespace

Result<std::vector<DeliveredJob>> SqliteJobClaimer::claim_jobs(const ClaimJobs& request) {
    const Turn turn = writer_.take_turn();
    const Result<Connection*> connection = writer_.begin();
    if (!connection) return connection.error();
    Result<std::vector<DeliveredJob>> delivered = claim(**connection, request);
    if (!delivered) {
        writer_.rollback_after(delivered.error());
        return delivered;
    }
    if (Status status = writer_.commit(); !status) return status.error();
    return delivered;
}

Result<std::vector<WaitingType>> SqliteJobClaimer::waiting_types() {
    const Turn turn = writer_.take_turn();
    const Result<Connection*> connection = writer_.begin();
    if (!connection) return connection.error();
    Result<std::vector<WaitingType>> types = skip_through_types(**connection);
    writer_.rollback();
    return types;
}

}  // namespace millrace::sqlite
