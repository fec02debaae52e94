#include "simulator/invariants.hpp"

namespace millrace::sim {

namespace {

std::string task_name(const UserTask& task) {
    return "user task " + to_string(task.key.id.value) + " at " + task.step_id;
}

void check_end(const UserTask& task, const Ledger& ledger, Findings& findings) {
    if ((task.status == UserTaskState::open) == task.ended_at.has_value()) {
        findings.add(task_name(task) + " has a state that does not fit its times");
    }
    if (task.status == UserTaskState::open) return;
    const StepExecution* line =
        ledger.find(StepExecutionKey{step_execution_of(task.key.id), task.key.workspace_id});
    if (line == nullptr) {
        findings.add(task_name(task) + " is over, and its step is not");
        return;
    }
    const bool is_done = task.status == UserTaskState::completed;
    // The way on may fail after the work was done.
    const bool is_step_done = line->status == StepExecutionStatus::completed;
    if (is_done != is_step_done) findings.add(task_name(task) + " and its step ended differently");
}

}  // namespace

void check_user_tasks(const Changes& changes, const Ledger& ledger, Findings& findings) {
    for (const RowChange<UserTask>& change : changes.user_tasks) {
        if (change.after == nullptr) continue;
        const UserTask& after = *change.after;
        check_end(after, ledger, findings);
        if (!change.before) continue;
        const UserTask& before = *change.before;
        if (before.status != UserTaskState::open && before != after) {
            findings.add(task_name(after) + " has changed after its end");
        }
        if (before.step_id != after.step_id || before.created_at != after.created_at) {
            findings.add(task_name(after) + " has become another one");
        }
    }
}

}  // namespace millrace::sim
