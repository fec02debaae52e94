#include "simulator/invariants.hpp"

namespace millrace::sim {

namespace {

void check_shape(const Instance& instance, Findings& findings) {
    const std::string name = named(instance.key);
    const bool is_over = is_terminal(instance.status);
    if (is_over != instance.completed_at.has_value()) {
        findings.add(name + " is " + std::string(to_string(instance.status)) +
                     ", which does not fit its completed_at");
    }
    if (is_over && instance.state.is_suspended) findings.add(name + " is over and suspended");
    if (instance.status == InstanceStatus::completed &&
        (!instance.state.open_steps.empty() || !instance.state.activations.empty())) {
        findings.add(name + " is COMPLETED with open steps");
    }
    if (instance.status == InstanceStatus::failed && !instance.failure_reason) {
        findings.add(name + " is FAILED without a reason");
    }
}

void check_what_stays(const Instance& before, const Instance& after, Findings& findings) {
    const bool is_same =
        before.definition == after.definition && before.started_at == after.started_at &&
        before.parent_id == after.parent_id && before.execution_id == after.execution_id &&
        before.business_key == after.business_key;
    if (!is_same) findings.add(named(after.key) + " has become another one");
    if (after.state.sequence < before.state.sequence) {
        findings.add(named(after.key) + " gives out numbers again");
    }
    const std::int64_t version = after.state.variables_version;
    const bool is_newer = version > before.state.variables_version;
    if (version < before.state.variables_version ||
        (before.variables != after.variables && !is_newer)) {
        findings.add(named(after.key) + " has other variables under the same version");
    }
}

// Only a FAILED instance goes on; until then nothing but its variables may change.
void check_end_is_end(const Instance& before, const Instance& after, Findings& findings) {
    if (!is_terminal(before.status)) return;
    if (before.status != InstanceStatus::failed) {
        if (after != before) findings.add(named(after.key) + " has changed after its end");
        return;
    }
    if (after.status != InstanceStatus::failed) return;
    Instance same = before;
    same.variables = after.variables;
    same.state.variables_version = after.state.variables_version;
    // Retried and failed again in one batch: another failure.
    const bool is_retried =
        after.state.sequence > before.state.sequence || after.completed_at != before.completed_at;
    if (same != after && !is_retried) {
        findings.add(named(after.key) + " has changed after its failure");
    }
}

}  // namespace

void check_instances(const Changes& changes, const Ledger& ledger, Findings& findings) {
    for (const RowChange<Instance>& change : changes.instances) {
        if (change.after == nullptr) {
            if (!is_terminal(change.before->status)) {
                findings.add(named(change.before->key) + " is removed before its end");
            }
            continue;
        }
        check_shape(*change.after, findings);
        if (!change.before) {
            if (ledger.definition_of(change.after->definition) == nullptr) {
                findings.add(named(change.after->key) + " has a definition of nowhere");
            }
            continue;
        }
        check_what_stays(*change.before, *change.after, findings);
        check_end_is_end(*change.before, *change.after, findings);
    }
}

}  // namespace millrace::sim
