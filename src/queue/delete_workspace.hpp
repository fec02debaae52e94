#pragma once

#include "commit/command.hpp"
#include "engine/audit_note.hpp"
#include "queue/count_open_work.hpp"

namespace millrace {

// Removes a workspace with its definitions. Its executions, instances and keys stay, for those who
// look them up.
//
// No transaction can lock all that may come into a workspace, so its work is counted before, and
// the order makes that sound: the workspace is paused; then its work is counted (CountOpenWork);
// then it is deleted, which is refused when it was changed since that count, or when anything was
// open. Nothing is let in while it is paused. What is enqueued between the count and the deletion
// fails with WORKSPACE_NOT_FOUND when its turn comes, as that of any workspace that is gone; an
// instance that is started directly in that moment can still be cancelled.
struct DeleteWorkspace {
    static constexpr std::string_view kName = "workspace.delete";
    // Alone in its batch: an upload after it must not find the definitions that go with it.
    static constexpr bool kIsBulky = true;

    CountedWork counted{};
};

struct DeletedWorkspace {
    Workspace workspace{};
};

Footprint footprint(const DeleteWorkspace& command);
Result<Decision<DeletedWorkspace>> decide(const DeleteWorkspace& command, const WorkingSet& rows,
                                          Instant now);
AuditNote audit_note(const DeleteWorkspace& command, const DeletedWorkspace& answer);

// How many of what is open: "3 executions and 1 instance".
std::string to_text(const OpenWork& open);

}  // namespace millrace
