#include "core/queue/transitions.hpp"
#include "simulator/invariants.hpp"

namespace millrace::sim {

namespace {

InstanceStatus status_for(QueueStatus status) {
    switch (status) {
        case QueueStatus::completed: return InstanceStatus::completed;
        case QueueStatus::cancelled: return InstanceStatus::cancelled;
        default: return InstanceStatus::failed;
    }
}

// One that has a slot has an instance that runs, and nothing else keeps a slot.
void check_execution(const RowChange<Execution>& change, const Ledger& ledger, Findings& findings) {
    const Execution& after = *change.after;
    const Instance* instance =
        after.instance_id ? ledger.find(InstanceKey{*after.instance_id, after.key.workspace_id})
                          : nullptr;
    const bool is_running = instance != nullptr && !is_terminal(instance->status);
    if (is_active(after.queue_status) != is_running) {
        findings.add(named(after.key) +
                     (is_running ? " runs without a slot" : " has a slot and no run"));
    }
    if (is_running && instance->execution_id != after.key.id) {
        findings.add(named(after.key) + " runs an instance that is not its own");
    }
    const bool has_ended =
        change.before && is_active(change.before->queue_status) && !is_open(after.queue_status);
    // One commit may fail it, have it wait to be resumed, and cancel it there: its place tells.
    const bool was_in_line = after.place != QueuePlace::active;
    if (has_ended && !was_in_line && instance != nullptr &&
        instance->status != status_for(after.queue_status)) {
        findings.add(named(after.key) + " is " + std::string(to_string(after.queue_status)) +
                     ", and its instance is " + std::string(to_string(instance->status)));
    }
}

void check_instance(const Instance& instance, const Ledger& ledger, Findings& findings) {
    if (!instance.execution_id || is_terminal(instance.status)) return;
    const Execution* execution =
        ledger.find(ExecutionKey{*instance.execution_id, instance.key.workspace_id});
    const bool has_slot = execution != nullptr && is_active(execution->queue_status) &&
                          execution->instance_id == instance.key.id;
    if (!has_slot) findings.add(named(instance.key) + " runs without the slot of its execution");
}

// The end of the last instance gives the slot back, in the same transaction.
void check_end(const Instance& instance, const Ledger& ledger, Findings& findings) {
    if (!instance.execution_id || !is_terminal(instance.status)) return;
    const Execution* execution =
        ledger.find(ExecutionKey{*instance.execution_id, instance.key.workspace_id});
    const bool is_last = execution != nullptr && execution->instance_id == instance.key.id;
    if (is_last && is_active(execution->queue_status)) {
        findings.add(named(instance.key) + " has ended and kept the slot of its execution");
    }
}

}  // namespace

void check_native_runs(const Changes& changes, const Ledger& ledger, Findings& findings) {
    for (const RowChange<Execution>& change : changes.executions) {
        const bool is_native =
            change.after != nullptr && change.after->executor == ExecutorKind::native;
        if (is_native) check_execution(change, ledger, findings);
    }
    for (const RowChange<Instance>& change : changes.instances) {
        if (change.after == nullptr) continue;
        check_instance(*change.after, ledger, findings);
        check_end(*change.after, ledger, findings);
    }
}

}  // namespace millrace::sim
