#pragma once

#include "commit/command.hpp"
#include "core/access/api_key.hpp"
#include "engine/audit_note.hpp"

namespace millrace {

// Stores a key that was made for somebody, and answers with it.
struct CreateApiKey {
    static constexpr std::string_view kName = "api_key.create";

    ApiKey key{};  // `created_at` is the time of the commit.
};

// What is told of a key that would be expired when it is made.
Error expires_too_early();

Footprint footprint(const CreateApiKey& command);
Result<Decision<ApiKey>> decide(const CreateApiKey& command, const WorkingSet& rows, Instant now);
AuditNote audit_note(const CreateApiKey& command, const ApiKey& answer);

}  // namespace millrace
