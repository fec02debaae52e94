#include "simulator/invariants.hpp"

namespace millrace::sim {

namespace {

void check_removed(const Workspace& before, const Ledger& ledger, Findings& findings) {
    if (before.id.value == kDefaultWorkspace || !before.is_paused) {
        findings.add("the workspace " + before.id.value + " is removed without being paused");
    }
    if (ledger.active_in(before.id) > 0) {
        findings.add("the workspace " + before.id.value + " is removed with work under way");
    }
}

}  // namespace

void check_workspaces(const Changes& changes, const Ledger& ledger, Findings& findings) {
    for (const RowChange<Workspace>& change : changes.workspaces) {
        if (change.after == nullptr) {
            check_removed(*change.before, ledger, findings);
        } else if (change.before && change.before->created_at != change.after->created_at) {
            findings.add("the workspace " + change.after->id.value + " is made twice");
        }
    }
    // A record of what was done under a key leads to what it has started.
    for (const IdempotencyRecord& record : changes.writes->idempotency_records) {
        if (!record.instance_id) continue;
        const InstanceKey instance{*record.instance_id, record.key.workspace_id};
        const ExecutionKey execution{{record.instance_id->value}, record.key.workspace_id};
        if (ledger.find(instance) == nullptr && ledger.find(execution) == nullptr) {
            findings.add("the key " + record.key.key + " names a start that is not there");
        }
    }
}

void check_all(const Changes& changes, const Ledger& ledger, const Plans& plans,
               Findings& findings) {
    for (const std::string& misfit : changes.misfits) findings.add(misfit);
    check_instances(changes, ledger, findings);
    check_parts(changes, ledger, findings);
    check_history(changes, ledger, findings);
    check_jobs(changes, ledger, findings);
    check_timers(changes, ledger, findings);
    check_user_tasks(changes, ledger, findings);
    check_chains(changes, ledger, findings);
    check_executions(changes, ledger, findings);
    check_native_runs(changes, ledger, findings);
    check_limits(changes, ledger, plans, findings);
    check_workspaces(changes, ledger, findings);
}

}  // namespace millrace::sim
