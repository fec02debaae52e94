#pragma once

#include <string>
#include <string_view>

#include "engine/audit_line.hpp"

namespace millrace::rest {

// A line of an audit, written behind what `out` holds; see wire_json.hpp.
void append_audit_line(std::string& out, const AuditLine& line);

// `,"enabled":true`: whether this server notes what is done.
std::string_view enabled_member(bool is_audited);

}  // namespace millrace::rest
