#pragma once

#include <optional>
#include <string>

#include "base/json/value.hpp"
#include "core/audit/audit_entry.hpp"

namespace millrace {

// What an audit entry says of a command that has changed something. A command that is audited has a
// function `AuditNote audit_note(const Command&, const Answer&)` next to it.
struct AuditNote {
    AuditKind kind = AuditKind::instance_started;
    // Whose it is, when that is not the workspace in which somebody asked.
    std::optional<WorkspaceId> workspace_id{};
    std::optional<InstanceId> instance_id{};
    std::string subject{};  // What it was done to; empty for the instance itself.
    // Members that are null are left out. Names of variables, never values.
    json::Object details{};
};

// The names of an object's members as an array, up to kAuditNamesMax; null when there are none.
json::Value variable_names(const json::Value& variables);

// A text, or null for an empty one.
json::Value unless_empty(const std::string& text);

// The object as text, without members that are null; empty when nothing is left.
std::string details_text(const json::Object& details);

}  // namespace millrace
