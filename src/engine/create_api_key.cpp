#include "engine/create_api_key.hpp"

namespace millrace {

Error expires_too_early() {
    const char* reason = "expiresAt must be in the future";
    return {ErrorCode::invalid_argument, reason, {{"expiresAt", reason}}};
}

Footprint footprint(const CreateApiKey& command) {
    return {.api_keys = {command.key.id}};
}

Result<Decision<ApiKey>> decide(const CreateApiKey& command, const WorkingSet& rows, Instant now) {
    // Of 62 random bits: a repetition is as good as impossible, and another try mends it.
    if (rows.find_api_key(command.key.id) != nullptr) {
        return Error{ErrorCode::conflict, "A key with this id exists already. Try again."};
    }
    if (command.key.expires_at && *command.key.expires_at <= now) {
        return expires_too_early();
    }
    ApiKey key = command.key;
    key.created_at = now;
    return Decision<ApiKey>{.effects = {.api_keys = {key}}, .answer = key};
}

AuditNote audit_note(const CreateApiKey&, const ApiKey& answer) {
    const std::string workspace = answer.workspace_id ? answer.workspace_id->value : "";
    return {
        .kind = AuditKind::key_created,
        .workspace_id = answer.workspace_id,
        .subject = answer.id,
        .details = {{"name", answer.name},
                    {"role", to_string(answer.role)},
                    {"workspace", unless_empty(workspace)}},
    };
}

}  // namespace millrace
