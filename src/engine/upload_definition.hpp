#pragma once

#include <string>

#include "base/json/value.hpp"
#include "commit/command.hpp"
#include "engine/audit_note.hpp"

namespace millrace {

struct UploadedDefinition {
    std::string id{};
    std::int32_t version = 0;
    std::string name{};
    Instant uploaded_at{};
};

// Stores a definition under the next version of its id. Content that is stored already keeps its
// version, whatever came after it.
struct UploadDefinition {
    static constexpr std::string_view kName = "definition.upload";

    WorkspaceId workspace_id{};
    std::string id{};
    std::string name{};
    json::Value document{};
    std::string canonical{};
};

// invalid_argument with all violations when the document is no definition.
Result<UploadDefinition> make_upload(const WorkspaceId& workspace_id, json::Value document);

Footprint footprint(const UploadDefinition& command);
Result<Decision<UploadedDefinition>> decide(const UploadDefinition& command, const WorkingSet& rows,
                                            Instant now);
AuditNote audit_note(const UploadDefinition& command, const UploadedDefinition& uploaded);

}  // namespace millrace
