#include "queue/create_workspace.hpp"

#include "core/access/workspace_name.hpp"

namespace millrace {

Footprint footprint(const CreateWorkspace& command) {
    return {.idempotency_keys = {lock_of(command.id)}, .workspaces = {command.id}};
}

Result<Decision<Workspace>> decide(const CreateWorkspace& command, const WorkingSet& rows,
                                   Instant now) {
    if (!is_workspace(command.id.value)) {
        const std::string problem =
            "id must have 1 to 63 lower-case letters, digits and hyphens, and begin with no hyphen";
        return Error{ErrorCode::invalid_argument, problem, {{"id", problem}}};
    }
    if (rows.find_workspace(command.id) != nullptr) {
        return Error{ErrorCode::conflict, "workspace \"" + command.id.value + "\" exists already"};
    }
    Workspace workspace = changed(
        {.id = command.id, .plan = command.default_plan, .created_at = now, .changed_at = now},
        command.settings);
    if (workspace.name.empty()) workspace.name = command.id.value;
    if (const Status status = check_settings(workspace, &command.plans); !status) {
        return status.error();
    }
    return Decision<Workspace>{.effects = {.workspaces = {workspace}}, .answer = workspace};
}

AuditNote audit_note(const CreateWorkspace&, const Workspace& answer) {
    return {
        .kind = AuditKind::workspace_created,
        .subject = answer.id.value,
        .details = {{"plan", answer.plan}},
    };
}

}  // namespace millrace
