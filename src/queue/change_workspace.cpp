#include "queue/change_workspace.hpp"

#include "queue/find_execution.hpp"

namespace millrace {

namespace {

template <class Value>
void add_if_set(json::Array& names, const char* name, const std::optional<Value>& change) {
    if (change) names.emplace_back(name);
}

}  // namespace

Footprint footprint(const ChangeWorkspace& command) {
    return {.idempotency_keys = {lock_of(command.id)}, .workspaces = {command.id}};
}

Result<Decision<Workspace>> decide(const ChangeWorkspace& command, const WorkingSet& rows,
                                   Instant now) {
    const Workspace* before = rows.find_workspace(command.id);
    if (before == nullptr) return workspace_not_found(command.id);
    Workspace workspace = changed(*before, command.changes);
    // A plan that the server no longer knows stays until somebody chooses another one.
    const Plans* plans = workspace.plan == before->plan ? nullptr : &command.plans;
    if (const Status status = check_settings(workspace, plans); !status) return status.error();
    if (workspace == *before) return Decision<Workspace>{{}, std::move(workspace)};
    workspace.changed_at = now;
    return Decision<Workspace>{.effects = {.workspaces = {workspace}}, .answer = workspace};
}

AuditNote audit_note(const ChangeWorkspace& command, const Workspace& answer) {
    const WorkspaceChanges& changes = command.changes;
    json::Array names;
    add_if_set(names, "name", changes.name);
    add_if_set(names, "plan", changes.plan);
    add_if_set(names, "maxActive", changes.max_active);
    add_if_set(names, "maxPerKey", changes.max_per_key);
    add_if_set(names, "ratePerSecond", changes.rate_per_second);
    add_if_set(names, "maxAttempts", changes.max_attempts);
    add_if_set(names, "weight", changes.weight);
    add_if_set(names, "paused", changes.is_paused);
    return {
        .kind = AuditKind::workspace_changed,
        .subject = answer.id.value,
        .details = {{"settings", std::move(names)}},
    };
}

}  // namespace millrace
