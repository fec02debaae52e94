#include "store/sqlite/write_rows.hpp"

#include <algorithm>

#include "core/instance/state_text.hpp"
#include "core/limits.hpp"
#include "store/sqlite/write_queue.hpp"
#include "store_sqlite_sql.hpp"

namespace millrace::sqlite {

namespace {

std::optional<std::string_view> text_of(const std::optional<Variables>& variables) {
    if (!variables) return std::nullopt;
    return variables->text();
}

bool wants_a_place(const Job& job) {
    return job.status == JobState::unlocked && job.seq == 0;
}

// Writes the tables in the order in which every store locks them.
class Writing {
public:
    explicit Writing(Connection& connection) : connection_(connection) {}

    Status write(const Writes& writes) {
        if (Status status = take_places(writes); !status) return status;
        // The first error ends it: what follows && is not done.
        const bool done = each(writes.idempotency_records, &Writing::insert_idempotency_record) &&
                          each(writes.definitions, &Writing::insert_definition) &&
                          each(writes.instances_new, &Writing::insert_instance) &&
                          each(writes.instances_changed, &Writing::update_instance) &&
                          each(writes.jobs_new, &Writing::insert_job) &&
                          each(writes.jobs_changed, &Writing::update_job) &&
                          each(writes.job_variables, &Writing::update_job_variables) &&
                          each(writes.jobs_removed, &Writing::remove<JobKey>) &&
                          each(writes.user_tasks_new, &Writing::insert_user_task) &&
                          each(writes.user_tasks_changed, &Writing::update_user_task) &&
                          each(writes.user_tasks_ended, &Writing::end_user_task) &&
                          each(writes.timers_new, &Writing::insert_timer) &&
                          each(writes.timers_removed, &Writing::remove<TimerKey>) &&
                          each(writes.step_executions, &Writing::insert_step_execution) &&
                          each(writes.api_keys, &Writing::insert_api_key) &&
                          each(writes.api_keys_revoked, &Writing::revoke_api_key) &&
                          each(writes.audit_entries, &Writing::insert_audit_entry) &&
                          each(writes.audit_removed, &Writing::remove<AuditKey>) &&
                          each(writes.instances_removed, &Writing::remove_instance) &&
                          forget_idempotency_records(writes);
        MILLRACE_CHECK(done == bool(status_));
        return done ? write_queue(connection_, writes) : status_;
    }

private:
    template <class Item>
    bool each(const std::vector<Item>& items, Status (Writing::*write_one)(const Item&)) {
        for (const Item& item : items) {
            status_ = (this->*write_one)(item);
            if (!status_) return false;
        }
        return true;
    }

    // Draws the places of all jobs that want one at once.
    Status take_places(const Writes& writes) {
        const auto count = std::ranges::count_if(writes.jobs_new, wants_a_place) +
                           std::ranges::count_if(writes.jobs_changed, wants_a_place);
        if (count == 0) return ok();
        const auto keep = [&](const Row& row) {
            seq_ = row.integer(0) - count;
            return ok();
        };
        return connection_.for_each(sql::take_job_places, keep, count);
    }

    std::int64_t place_of(const Job& job) { return wants_a_place(job) ? ++seq_ : job.seq; }

    Status insert_idempotency_record(const IdempotencyRecord& row) {
        return connection_.run(sql::insert_idempotency_keys, row.key.workspace_id,
                               row.key.operation, row.key.key, row.request_hash, row.instance_id,
                               row.created_at);
    }

    bool forget_idempotency_records(const Writes& writes) {
        if (!writes.idempotency_forgotten_before) return true;
        status_ =
            connection_.run(sql::delete_idempotency_keys, *writes.idempotency_forgotten_before,
                            limits::kIdempotencyForgottenMax);
        return bool(status_);
    }

    Status insert_definition(const DefinitionRecord& row) {
        return connection_.run(sql::insert_definitions, row.workspace_id, row.id, row.version,
                               row.name, row.content, row.canonical, row.uploaded_at);
    }

    Status insert_instance(const Instance& row) {
        return connection_.run(
            sql::insert_instances, row.key.workspace_id, row.key.id, row.definition.row_id,
            row.definition.id, row.definition.version, to_string(row.status),
            none_if_empty(row.business_key), row.variables.text(), state_text(row.state),
            row.started_at, row.completed_at, row.failure_reason, row.parent_id,
            none_if_empty(row.state.trace_parent),
            row.state.is_traced ? std::optional(std::int64_t{1}) : std::nullopt, row.execution_id);
    }

    Status update_instance(const Instance& row) {
        return connection_.run(sql::update_instances, row.key.workspace_id, row.key.id,
                               to_string(row.status), row.variables.text(), state_text(row.state),
                               row.completed_at, row.failure_reason);
    }

    Status insert_job(const Job& row) {
        const Lease* lease = row.lease ? &*row.lease : nullptr;
        return connection_.run(
            sql::insert_jobs, row.key.workspace_id, row.key.id, instance_of(row.key.id),
            row.job_type, row.step_id, to_string(row.status), row.retries_remaining, place_of(row),
            row.lease_token, worker_id(lease), locked_at(lease), lock_expires_at(lease),
            row.created_at, text_of(row.variables), try_timeout(row),
            none_if_empty(row.trace_parent), first_sequence(row));
    }

    Status update_job(const Job& row) {
        const Lease* lease = row.lease ? &*row.lease : nullptr;
        return connection_.run(sql::update_jobs, row.key.workspace_id, row.key.id,
                               to_string(row.status), row.retries_remaining, place_of(row),
                               row.lease_token, worker_id(lease), locked_at(lease),
                               lock_expires_at(lease), text_of(row.variables));
    }

    Status update_job_variables(const JobVariables& row) {
        return connection_.run(sql::update_job_variables, row.key.workspace_id, row.key.id,
                               row.variables.text());
    }

    Status insert_user_task(const UserTask& row) {
        const std::string groups = group_text(row.candidate_groups);
        return connection_.run(sql::insert_user_tasks, row.key.workspace_id, row.key.id,
                               row.definition_id, row.definition_version, row.step_id, row.name,
                               to_string(row.status), none_if_empty(row.assignee),
                               none_if_empty(groups), row.created_at, row.claimed_at, row.ended_at,
                               none_if_empty(row.completed_by));
    }

    Status update_user_task(const UserTask& row) {
        return connection_.run(sql::update_user_tasks, row.key.workspace_id, row.key.id,
                               to_string(row.status), none_if_empty(row.assignee), row.claimed_at,
                               row.ended_at, none_if_empty(row.completed_by));
    }

    Status end_user_task(const UserTaskEnd& row) {
        return connection_.run(sql::end_user_tasks, row.key.workspace_id, row.key.id,
                               to_string(row.status), row.ended_at,
                               none_if_empty(row.completed_by));
    }

    Status insert_timer(const Timer& row) {
        return connection_.run(sql::insert_timers, row.key.workspace_id, row.key.id, row.fire_at);
    }

    Status insert_step_execution(const StepExecution& row) {
        std::optional<std::string_view> job_status;
        if (row.job_status) job_status = to_string(*row.job_status);
        std::optional<std::string> tries;
        if (!row.tries.empty()) tries = tries_text(row.tries);
        return connection_.run(
            sql::insert_step_executions, row.key.workspace_id, row.key.id, row.step_id,
            to_string(row.step_type), row.attempt_number, to_string(row.status), row.started_at,
            row.ended_at, row.failure_reason, job_status, tries, none_if_empty(row.completed_by));
    }

    Status insert_api_key(const ApiKey& row) {
        const std::string hash = hash_text(row.secret_hash);
        return connection_.run(sql::insert_api_keys, row.id, row.name, to_string(row.role),
                               row.workspace_id, hash, row.created_at, row.expires_at,
                               row.revoked_at);
    }

    Status revoke_api_key(const ApiKeyRevocation& row) {
        return connection_.run(sql::revoke_api_keys, row.id, row.revoked_at);
    }

    Status insert_audit_entry(const AuditEntry& row) {
        return connection_.run(
            sql::insert_audit_entries, row.key.workspace_id, row.key.id, row.at,
            to_string(row.kind), none_if_empty(row.actor.key_id), none_if_empty(row.actor.key_name),
            none_if_empty(row.actor.remote_address), none_if_empty(row.actor.request_id),
            kept_instance_id(row), none_if_empty(row.subject), none_if_empty(row.details));
    }

    static const sql::Statement& removal_of(const JobKey&) { return sql::delete_jobs; }
    static const sql::Statement& removal_of(const TimerKey&) { return sql::delete_timers; }
    static const sql::Statement& removal_of(const AuditKey&) { return sql::delete_audit_entries; }

    template <class Key>
    Status remove(const Key& key) {
        return connection_.run(removal_of(key), key.workspace_id, key.id);
    }

    // With all that has an id of its own.
    Status remove_instance(const InstanceKey& key) {
        const Id128 last = key.id.value.with_sequence(0xFFFF'FFFF);
        for (const sql::Statement* removal :
             {&sql::delete_step_executions, &sql::delete_user_tasks}) {
            Status status = connection_.run(*removal, key.workspace_id, key.id, last);
            if (!status) return status;
        }
        return connection_.run(sql::delete_instances, key.workspace_id, key.id);
    }

    static std::optional<std::int64_t> try_timeout(const Job& job) {
        if (!job.try_timeout) return std::nullopt;
        return job.try_timeout->count();
    }
    static std::optional<std::int64_t> first_sequence(const Job& job) {
        if (job.first_sequence == 0) return std::nullopt;
        return job.first_sequence;
    }
    static std::optional<std::string_view> worker_id(const Lease* lease) {
        if (lease == nullptr) return std::nullopt;
        return lease->worker_id.value;
    }
    static std::optional<Instant> locked_at(const Lease* lease) {
        if (lease == nullptr) return std::nullopt;
        return lease->locked_at;
    }
    static std::optional<Instant> lock_expires_at(const Lease* lease) {
        if (lease == nullptr) return std::nullopt;
        return lease->lock_expires_at;
    }

    Connection& connection_;
    Status status_ = ok();
    std::int64_t seq_ = 0;  // The last place given out of those drawn.
};

}  // namespace

Status write_rows(Connection& connection, const Writes& writes) {
    return Writing(connection).write(writes);
}

}  // namespace millrace::sqlite
