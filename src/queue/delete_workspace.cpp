#include "queue/delete_workspace.hpp"

#include "queue/find_execution.hpp"
#include "queue/workspace_settings.hpp"

namespace millrace {

namespace {

std::string counted(std::int64_t count, const std::string& noun) {
    return std::to_string(count) + " " + noun + (count == 1 ? "" : "s");
}

}  // namespace

Footprint footprint(const DeleteWorkspace& command) {
    const WorkspaceId& id = command.counted.workspace.id;
    return {.idempotency_keys = {lock_of(id)}, .workspaces = {id}};
}

Result<Decision<DeletedWorkspace>> decide(const DeleteWorkspace& command, const WorkingSet& rows,
                                          Instant) {
    const Workspace& seen = command.counted.workspace;
    if (seen.id.value == kDefaultWorkspace) {
        return Error{ErrorCode::conflict, "The default workspace cannot be deleted."};
    }
    const Workspace* workspace = rows.find_workspace(seen.id);
    if (workspace == nullptr) return workspace_not_found(seen.id);
    if (!command.counted.open.empty()) {
        return Error{ErrorCode::conflict, "The workspace has " + to_text(command.counted.open) +
                                              " that are not over: cancel them first."};
    }
    if (!seen.is_paused || *workspace != seen) {
        return Error{ErrorCode::conflict,
                     "The workspace was changed while its work was counted. Try again."};
    }
    return Decision<DeletedWorkspace>{
        .effects = {.workspaces_removed = {seen.id}},
        .answer = {*workspace},
    };
}

AuditNote audit_note(const DeleteWorkspace&, const DeletedWorkspace& answer) {
    return {.kind = AuditKind::workspace_deleted, .subject = answer.workspace.id.value};
}

std::string to_text(const OpenWork& open) {
    if (open.instances == 0) return counted(open.executions, "execution");
    if (open.executions == 0) return counted(open.instances, "instance");
    return counted(open.executions, "execution") + " and " + counted(open.instances, "instance");
}

}  // namespace millrace
