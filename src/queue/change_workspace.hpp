#pragma once

#include "commit/command.hpp"
#include "engine/audit_note.hpp"
#include "queue/workspace_settings.hpp"

namespace millrace {

// Answers with the workspace as it is then. A lower limit lets finish what is active.
struct ChangeWorkspace {
    static constexpr std::string_view kName = "workspace.change";

    WorkspaceId id{};
    WorkspaceChanges changes{};
    Plans plans{};
};

Footprint footprint(const ChangeWorkspace& command);
Result<Decision<Workspace>> decide(const ChangeWorkspace& command, const WorkingSet& rows,
                                   Instant now);
AuditNote audit_note(const ChangeWorkspace& command, const Workspace& answer);

}  // namespace millrace
