#include "engine/revoke_api_key.hpp"

namespace millrace {

Footprint footprint(const RevokeApiKey& command) {
    return {.api_keys = {command.id}};
}

Result<Decision<ApiKey>> decide(const RevokeApiKey& command, const WorkingSet& rows, Instant now) {
    const ApiKey* key = rows.find_api_key(command.id);
    const bool is_visible =
        key != nullptr && (!command.workspace_id || key->workspace_id == command.workspace_id);
    if (!is_visible) return Error{ErrorCode::not_found, "key not found"};
    Decision<ApiKey> decision{.answer = *key};
    if (key->revoked_at) return decision;
    decision.answer.revoked_at = now;
    decision.effects.api_keys_revoked = {{.id = command.id, .revoked_at = now}};
    return decision;
}

AuditNote audit_note(const RevokeApiKey&, const ApiKey& answer) {
    return {
        .kind = AuditKind::key_revoked,
        .workspace_id = answer.workspace_id,
        .subject = answer.id,
        .details = {{"name", answer.name}},
    };
}

}  // namespace millrace
