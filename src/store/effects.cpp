#include "store/effects.hpp"

#include <iterator>

namespace millrace {

namespace {

template <class Row>
void move_into(std::vector<Row>& to, std::vector<Row>& from) {
    to.insert(to.end(), std::make_move_iterator(from.begin()), std::make_move_iterator(from.end()));
}

}  // namespace

void Effects::add(InstanceEffects effects) {
    instances.push_back(std::move(effects.instance));
    move_into(jobs, effects.jobs);
    move_into(jobs_removed, effects.jobs_removed);
    move_into(job_variables, effects.job_variables);
    move_into(timers, effects.timers);
    move_into(timers_removed, effects.timers_removed);
    move_into(user_tasks, effects.user_tasks);
    move_into(user_tasks_ended, effects.user_tasks_ended);
    move_into(step_executions, effects.step_executions);
}

void Effects::add(Effects effects) {
    move_into(instances, effects.instances);
    move_into(jobs, effects.jobs);
    move_into(jobs_removed, effects.jobs_removed);
    move_into(job_variables, effects.job_variables);
    move_into(timers, effects.timers);
    move_into(timers_removed, effects.timers_removed);
    move_into(user_tasks, effects.user_tasks);
    move_into(user_tasks_ended, effects.user_tasks_ended);
    move_into(step_executions, effects.step_executions);
    move_into(definitions, effects.definitions);
    move_into(idempotency_records, effects.idempotency_records);
    if (effects.idempotency_forgotten_before) {
        idempotency_forgotten_before = effects.idempotency_forgotten_before;
    }
    move_into(audit_entries, effects.audit_entries);
    move_into(api_keys, effects.api_keys);
    move_into(api_keys_revoked, effects.api_keys_revoked);
    move_into(instances_removed, effects.instances_removed);
    move_into(audit_removed, effects.audit_removed);
    move_into(executions_new, effects.executions_new);
    move_into(executions, effects.executions);
    move_into(executions_moved, effects.executions_moved);
    move_into(executions_ended, effects.executions_ended);
    move_into(execution_results, effects.execution_results);
    move_into(executions_removed, effects.executions_removed);
    move_into(workspaces, effects.workspaces);
    move_into(workspaces_removed, effects.workspaces_removed);
    move_into(lines, effects.lines);
    work += effects.work;
}

bool Effects::empty() const {
    return instances.empty() && jobs.empty() && jobs_removed.empty() && job_variables.empty() &&
           timers.empty() && timers_removed.empty() && user_tasks.empty() &&
           user_tasks_ended.empty() && step_executions.empty() && definitions.empty() &&
           idempotency_records.empty() && !idempotency_forgotten_before && audit_entries.empty() &&
           api_keys.empty() && api_keys_revoked.empty() && instances_removed.empty() &&
           audit_removed.empty() && executions_new.empty() && executions.empty() &&
           executions_moved.empty() && executions_ended.empty() && execution_results.empty() &&
           executions_removed.empty() && workspaces.empty() && workspaces_removed.empty() &&
           lines.empty();
}

bool Writes::empty() const {
    return instances_new.empty() && instances_changed.empty() && jobs_new.empty() &&
           jobs_changed.empty() && jobs_removed.empty() && job_variables.empty() &&
           timers_new.empty() && timers_removed.empty() && user_tasks_new.empty() &&
           user_tasks_changed.empty() && user_tasks_ended.empty() && step_executions.empty() &&
           definitions.empty() && idempotency_records.empty() && !idempotency_forgotten_before &&
           audit_entries.empty() && api_keys.empty() && api_keys_revoked.empty() &&
           instances_removed.empty() && audit_removed.empty() && executions_new.empty() &&
           executions_changed.empty() && executions_moved.empty() && executions_ended.empty() &&
           execution_results.empty() && executions_removed.empty() && workspaces.empty() &&
           workspaces_removed.empty() && lines.empty();
}

}  // namespace millrace
