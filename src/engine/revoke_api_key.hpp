#pragma once

#include "commit/command.hpp"
#include "core/access/api_key.hpp"
#include "engine/audit_note.hpp"

namespace millrace {

// Makes a key useless for good, and answers with it. Again: nothing more happens.
struct RevokeApiKey {
    static constexpr std::string_view kName = "api_key.revoke";

    std::string id{};
    // Where the caller may look: a key elsewhere does not exist for it. Empty: everywhere.
    std::optional<WorkspaceId> workspace_id{};
};

Footprint footprint(const RevokeApiKey& command);
Result<Decision<ApiKey>> decide(const RevokeApiKey& command, const WorkingSet& rows, Instant now);
AuditNote audit_note(const RevokeApiKey& command, const ApiKey& answer);

}  // namespace millrace
