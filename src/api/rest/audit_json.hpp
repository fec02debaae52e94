#pragma once

#include <string>

#include "engine/audit_line.hpp"

namespace millrace::rest {

// A line of an audit, written behind what `out` holds; see wire_json.hpp.
void append_audit_line(std::string& out, const AuditLine& line);

}  // namespace millrace::rest
