#include "store/postgres/write_calls.hpp"

#include <algorithm>
#include <optional>
#include <string_view>

#include "core/instance/state_text.hpp"
#include "core/limits.hpp"
#include "store/postgres/row_parameters.hpp"

namespace millrace::postgres {

namespace {

// Two columns: workspace_id and id.
template <class Row>
Parameters keys_of_rows(const std::vector<Row>& rows) {
    Parameters parameters;
    parameters.add_column(
        rows, [](const Row& row) -> std::string_view { return row.key.workspace_id.value; });
    parameters.add_column(rows, [](const Row& row) { return row.key.id.value; });
    return parameters;
}

// The instances, and the last id that each can have given out.
Parameters ranges(const std::vector<InstanceKey>& rows) {
    Parameters parameters = key_columns(rows);
    parameters.add_column(
        rows, [](const InstanceKey& key) { return key.id.value.with_sequence(0xFFFF'FFFF); });
    return parameters;
}

Call insert_definitions(const std::vector<DefinitionRecord>& rows) {
    using Row = DefinitionRecord;
    Parameters p;
    p.add_column(rows, [](const Row& row) -> std::string_view { return row.workspace_id.value; });
    p.add_column(rows, [](const Row& row) -> std::string_view { return row.id; });
    p.add_column(rows, [](const Row& row) { return row.version; });
    p.add_column(rows, [](const Row& row) -> std::string_view { return row.name; });
    p.add_column(rows, [](const Row& row) -> std::string_view { return row.content; });
    p.add_column(rows, [](const Row& row) -> std::string_view { return row.canonical; });
    p.add_column(rows, [](const Row& row) { return row.uploaded_at; });
    return call(sql::insert_definitions, std::move(p));
}

Call insert_instances(const std::vector<Instance>& rows) {
    using Row = Instance;
    Parameters p = keys_of_rows(rows);
    p.add_column(rows, [](const Row& row) { return row.definition.row_id; });
    p.add_column(rows, [](const Row& row) -> std::string_view { return row.definition.id; });
    p.add_column(rows, [](const Row& row) { return row.definition.version; });
    p.add_column(rows, [](const Row& row) { return to_string(row.status); });
    p.add_column(rows, [](const Row& row) { return unless_empty(row.business_key); });
    p.add_column(rows, [](const Row& row) -> std::string_view { return row.variables.text(); });
    p.add_column(rows, [](const Row& row) { return state_text(row.state); });
    p.add_column(rows, [](const Row& row) { return row.started_at; });
    p.add_column(rows, [](const Row& row) { return row.completed_at; });
    p.add_column(rows, [](const Row& row) { return view(row.failure_reason); });
    p.add_column(rows, [](const Row& row) -> std::optional<Id128> {
        if (!row.parent_id) return std::nullopt;
        return row.parent_id->value;
    });
    p.add_column(rows, [](const Row& row) { return unless_empty(row.state.trace_parent); });
    p.add_column(rows, [](const Row& row) -> std::optional<std::int64_t> {
        if (!row.state.is_traced) return std::nullopt;
        return 1;
    });
    p.add_column(rows, [](const Row& row) -> std::optional<Id128> {
        if (!row.execution_id) return std::nullopt;
        return row.execution_id->value;
    });
    return call(sql::insert_instances, std::move(p));
}

// Null when they are what the batch has loaded.
std::optional<std::string_view> changed_variables(const Instance& row,
                                                  const LoadedVariables& loaded) {
    const auto found =
        std::ranges::lower_bound(loaded, row.key, {}, &LoadedVariables::value_type::first);
    const bool is_same =
        found != loaded.end() && found->first == row.key && found->second == row.variables;
    if (is_same) return std::nullopt;
    return row.variables.text();
}

Call update_instances(const std::vector<Instance>& rows, const LoadedVariables& loaded) {
    using Row = Instance;
    Parameters p = keys_of_rows(rows);
    p.add_column(rows, [](const Row& row) { return to_string(row.status); });
    p.add_column(rows, [&loaded](const Row& row) { return changed_variables(row, loaded); });
    p.add_column(rows, [](const Row& row) { return state_text(row.state); });
    p.add_column(rows, [](const Row& row) { return row.completed_at; });
    p.add_column(rows, [](const Row& row) { return view(row.failure_reason); });
    return call(sql::update_instances, std::move(p));
}

void add_lease(Parameters& p, const std::vector<Job>& rows) {
    p.add_column(rows, [](const Job& row) -> std::optional<std::string_view> {
        if (!row.lease) return std::nullopt;
        return row.lease->worker_id.value;
    });
    p.add_column(rows, [](const Job& row) -> std::optional<Instant> {
        if (!row.lease) return std::nullopt;
        return row.lease->locked_at;
    });
    p.add_column(rows, [](const Job& row) -> std::optional<Instant> {
        if (!row.lease) return std::nullopt;
        return row.lease->lock_expires_at;
    });
}

// From status to the lease: the same columns in insert and update.
void add_condition(Parameters& p, const std::vector<Job>& rows) {
    p.add_column(rows, [](const Job& row) { return to_string(row.status); });
    p.add_column(rows, [](const Job& row) { return row.retries_remaining; });
    p.add_column(rows, [](const Job& row) { return row.seq; });
    p.add_column(rows, [](const Job& row) { return row.lease_token; });
    add_lease(p, rows);
}

Call insert_jobs(const std::vector<Job>& rows) {
    Parameters p = keys_of_rows(rows);
    p.add_column(rows, [](const Job& row) { return instance_of(row.key.id).value; });
    p.add_column(rows, [](const Job& row) -> std::string_view { return row.job_type.value; });
    p.add_column(rows, [](const Job& row) -> std::string_view { return row.step_id; });
    add_condition(p, rows);
    p.add_column(rows, [](const Job& row) { return row.created_at; });
    p.add_column(rows, [](const Job& row) { return view(row.variables); });
    p.add_column(rows, [](const Job& row) -> std::optional<std::int64_t> {
        if (!row.try_timeout) return std::nullopt;
        return row.try_timeout->count();
    });
    p.add_column(rows, [](const Job& row) { return unless_empty(row.trace_parent); });
    p.add_column(rows, [](const Job& row) -> std::optional<std::int64_t> {
        if (row.first_sequence == 0) return std::nullopt;
        return row.first_sequence;
    });
    return call(sql::insert_jobs, std::move(p));
}

Call update_jobs(const std::vector<Job>& rows) {
    Parameters p = keys_of_rows(rows);
    add_condition(p, rows);
    p.add_column(rows, [](const Job& row) { return view(row.variables); });
    return call(sql::update_jobs, std::move(p));
}

Call update_job_variables(const std::vector<JobVariables>& rows) {
    using Row = JobVariables;
    Parameters p = keys_of_rows(rows);
    p.add_column(rows, [](const Row& row) -> std::string_view { return row.variables.text(); });
    return call(sql::update_job_variables, std::move(p));
}

Call insert_user_tasks(const std::vector<UserTask>& rows) {
    using Row = UserTask;
    Parameters p = keys_of_rows(rows);
    p.add_column(rows, [](const Row& row) -> std::string_view { return row.definition_id; });
    p.add_column(rows, [](const Row& row) { return row.definition_version; });
    p.add_column(rows, [](const Row& row) -> std::string_view { return row.step_id; });
    p.add_column(rows, [](const Row& row) -> std::string_view { return row.name; });
    p.add_column(rows, [](const Row& row) { return to_string(row.status); });
    p.add_column(rows, [](const Row& row) { return unless_empty(row.assignee); });
    p.add_column(rows, [](const Row& row) -> std::optional<std::string> {
        if (row.candidate_groups.empty()) return std::nullopt;
        return group_text(row.candidate_groups);
    });
    p.add_column(rows, [](const Row& row) { return row.created_at; });
    p.add_column(rows, [](const Row& row) { return row.claimed_at; });
    p.add_column(rows, [](const Row& row) { return row.ended_at; });
    p.add_column(rows, [](const Row& row) { return unless_empty(row.completed_by); });
    return call(sql::insert_user_tasks, std::move(p));
}

Call update_user_tasks(const std::vector<UserTask>& rows) {
    using Row = UserTask;
    Parameters p = keys_of_rows(rows);
    p.add_column(rows, [](const Row& row) { return to_string(row.status); });
    p.add_column(rows, [](const Row& row) { return unless_empty(row.assignee); });
    p.add_column(rows, [](const Row& row) { return row.claimed_at; });
    p.add_column(rows, [](const Row& row) { return row.ended_at; });
    p.add_column(rows, [](const Row& row) { return unless_empty(row.completed_by); });
    return call(sql::update_user_tasks, std::move(p));
}

Call end_user_tasks(const std::vector<UserTaskEnd>& rows) {
    using Row = UserTaskEnd;
    Parameters p = keys_of_rows(rows);
    p.add_column(rows, [](const Row& row) { return to_string(row.status); });
    p.add_column(rows, [](const Row& row) { return row.ended_at; });
    p.add_column(rows, [](const Row& row) { return unless_empty(row.completed_by); });
    return call(sql::end_user_tasks, std::move(p));
}

Call insert_timers(const std::vector<Timer>& rows) {
    Parameters p = keys_of_rows(rows);
    p.add_column(rows, [](const Timer& row) { return row.fire_at; });
    return call(sql::insert_timers, std::move(p));
}

Call insert_step_executions(const std::vector<StepExecution>& rows) {
    using Row = StepExecution;
    Parameters p = keys_of_rows(rows);
    p.add_column(rows, [](const Row& row) -> std::string_view { return row.step_id; });
    p.add_column(rows, [](const Row& row) { return to_string(row.step_type); });
    p.add_column(rows, [](const Row& row) { return row.attempt_number; });
    p.add_column(rows, [](const Row& row) { return to_string(row.status); });
    p.add_column(rows, [](const Row& row) { return row.started_at; });
    p.add_column(rows, [](const Row& row) { return row.ended_at; });
    p.add_column(rows, [](const Row& row) { return view(row.failure_reason); });
    p.add_column(rows, [](const Row& row) -> std::optional<std::string_view> {
        if (!row.job_status) return std::nullopt;
        return to_string(*row.job_status);
    });
    p.add_column(rows, [](const Row& row) -> std::optional<std::string> {
        if (row.tries.empty()) return std::nullopt;
        return tries_text(row.tries);
    });
    p.add_column(rows, [](const Row& row) { return unless_empty(row.completed_by); });
    return call(sql::insert_step_executions, std::move(p));
}

Call insert_api_keys(const std::vector<ApiKey>& rows) {
    using Row = ApiKey;
    Parameters p;
    p.add_column(rows, [](const Row& row) -> std::string_view { return row.id; });
    p.add_column(rows, [](const Row& row) -> std::string_view { return row.name; });
    p.add_column(rows, [](const Row& row) { return to_string(row.role); });
    p.add_column(rows, [](const Row& row) -> std::optional<std::string_view> {
        if (!row.workspace_id) return std::nullopt;
        return row.workspace_id->value;
    });
    p.add_column(rows, [](const Row& row) { return hash_text(row.secret_hash); });
    p.add_column(rows, [](const Row& row) { return row.created_at; });
    p.add_column(rows, [](const Row& row) { return row.expires_at; });
    p.add_column(rows, [](const Row& row) { return row.revoked_at; });
    return call(sql::insert_api_keys, std::move(p));
}

Call revoke_api_keys(const std::vector<ApiKeyRevocation>& rows) {
    using Row = ApiKeyRevocation;
    Parameters p;
    p.add_column(rows, [](const Row& row) -> std::string_view { return row.id; });
    p.add_column(rows, [](const Row& row) { return row.revoked_at; });
    return call(sql::revoke_api_keys, std::move(p));
}

Call insert_audit_entries(const std::vector<AuditEntry>& rows) {
    using Row = AuditEntry;
    Parameters p = keys_of_rows(rows);
    p.add_column(rows, [](const Row& row) { return row.at; });
    p.add_column(rows, [](const Row& row) { return to_string(row.kind); });
    p.add_column(rows, [](const Row& row) { return unless_empty(row.actor.key_id); });
    p.add_column(rows, [](const Row& row) { return unless_empty(row.actor.key_name); });
    p.add_column(rows, [](const Row& row) { return unless_empty(row.actor.remote_address); });
    p.add_column(rows, [](const Row& row) { return unless_empty(row.actor.request_id); });
    p.add_column(rows, [](const Row& row) -> std::optional<Id128> {
        const std::optional<InstanceId> id = kept_instance_id(row);
        if (!id) return std::nullopt;
        return id->value;
    });
    p.add_column(rows, [](const Row& row) { return unless_empty(row.subject); });
    p.add_column(rows, [](const Row& row) { return unless_empty(row.details); });
    return call(sql::insert_audit_entries, std::move(p));
}

Call insert_idempotency_keys(const std::vector<IdempotencyRecord>& rows) {
    using Row = IdempotencyRecord;
    Parameters p;
    p.add_column(rows,
                 [](const Row& row) -> std::string_view { return row.key.workspace_id.value; });
    p.add_column(rows, [](const Row& row) -> std::string_view { return row.key.operation; });
    p.add_column(rows, [](const Row& row) -> std::string_view { return row.key.key; });
    p.add_column(rows, [](const Row& row) { return row.request_hash; });
    p.add_column(rows, [](const Row& row) -> std::optional<Id128> {
        if (!row.instance_id) return std::nullopt;
        return row.instance_id->value;
    });
    p.add_column(rows, [](const Row& row) { return row.created_at; });
    return call(sql::insert_idempotency_keys, std::move(p));
}

Call delete_idempotency_keys(Instant before) {
    Parameters p;
    p.add(before);
    p.add(limits::kIdempotencyForgottenMax);
    return call(sql::delete_idempotency_keys, std::move(p));
}

}  // namespace

void append_writes(std::vector<Call>& calls, const Writes& w, const LoadedVariables& loaded) {
    const auto add = [&calls](const auto& rows, auto make) {
        if (!rows.empty()) calls.push_back(make(rows));
    };
    const auto remove_by = [](const sql::Statement& statement) {
        return [&statement](const auto& rows) {
            return call(statement, key_columns(rows));
        };
    };
    add(w.idempotency_records, insert_idempotency_keys);
    add(w.definitions, insert_definitions);
    add(w.instances_new, insert_instances);
    add(w.instances_changed,
        [&loaded](const auto& rows) { return update_instances(rows, loaded); });
    add(w.jobs_new, insert_jobs);
    add(w.jobs_changed, update_jobs);
    add(w.job_variables, update_job_variables);
    add(w.jobs_removed, remove_by(sql::delete_jobs));
    add(w.user_tasks_new, insert_user_tasks);
    add(w.user_tasks_changed, update_user_tasks);
    add(w.user_tasks_ended, end_user_tasks);
    add(w.timers_new, insert_timers);
    add(w.timers_removed, remove_by(sql::delete_timers));
    add(w.step_executions, insert_step_executions);
    add(w.api_keys, insert_api_keys);
    add(w.api_keys_revoked, revoke_api_keys);
    add(w.audit_entries, insert_audit_entries);
    add(w.audit_removed, remove_by(sql::delete_audit_entries));
    const auto remove_range_by = [](const sql::Statement& statement) {
        return [&statement](const std::vector<InstanceKey>& rows) {
            return call(statement, ranges(rows));
        };
    };
    add(w.instances_removed, remove_range_by(sql::delete_step_executions));
    add(w.instances_removed, remove_range_by(sql::delete_user_tasks));
    add(w.instances_removed, remove_by(sql::delete_instances));
    if (w.idempotency_forgotten_before) {
        calls.push_back(delete_idempotency_keys(*w.idempotency_forgotten_before));
    }
}

}  // namespace millrace::postgres
