#include "simulator/invariants.hpp"

namespace millrace::sim {

namespace {

void check_child(const Instance& child, const Ledger& ledger, Findings& findings) {
    const InstanceKey key{*child.parent_id, child.key.workspace_id};
    const Instance* parent = ledger.find(key);
    if (parent == nullptr) {
        findings.add(named(child.key) + " follows an instance that its workspace does not have");
        return;
    }
    if (parent->status != InstanceStatus::completed) {
        findings.add(named(child.key) + " follows an instance that is not COMPLETED");
    }
    if (parent->execution_id != child.execution_id) {
        findings.add(named(child.key) + " runs for another execution than the one before it");
    }
    const Definition* definition = ledger.definition_of(parent->definition);
    if (definition != nullptr && definition->chained_definition != child.definition.id) {
        findings.add(named(child.key) + " follows an instance that chains another definition");
    }
}

// Its own work is done, so it ends; its successor is there, or it says why not.
void check_end_of_parent(const Instance& parent, const Ledger& ledger, Findings& findings) {
    const Definition* definition = ledger.definition_of(parent.definition);
    if (definition == nullptr || definition->chained_definition.empty()) return;
    const bool has_child = ledger.child_of(parent.key) != nullptr;
    if (has_child != parent.state.chain_failure.empty()) {
        findings.add(named(parent.key) + (has_child ? " has a successor and says that it has none"
                                                    : " is COMPLETED without its successor"));
    }
}

}  // namespace

void check_chains(const Changes& changes, const Ledger& ledger, Findings& findings) {
    for (const RowChange<Instance>& change : changes.instances) {
        if (change.after == nullptr) continue;
        if (!change.before && change.after->parent_id) {
            check_child(*change.after, ledger, findings);
        }
        if (change.after->status == InstanceStatus::completed) {
            check_end_of_parent(*change.after, ledger, findings);
        }
    }
}

}  // namespace millrace::sim
