#pragma once

#include "commit/command.hpp"
#include "engine/audit_note.hpp"
#include "queue/workspace_settings.hpp"

namespace millrace {

// conflict: there is one of that id.
struct CreateWorkspace {
    static constexpr std::string_view kName = "workspace.create";

    WorkspaceId id{};
    WorkspaceChanges settings{};  // Compared with a workspace that has the default plan.
    std::string default_plan = "FREE";
    Plans plans{};
};

Footprint footprint(const CreateWorkspace& command);
Result<Decision<Workspace>> decide(const CreateWorkspace& command, const WorkingSet& rows,
                                   Instant now);
AuditNote audit_note(const CreateWorkspace& command, const Workspace& answer);

}  // namespace millrace
