#pragma once

#include "core/definition/parse_definition.hpp"
#include "core/definition/problems.hpp"

namespace millrace::definition {

// The one form of a document that every other function here reads: field names in their proper
// case, fields that are null, zero or empty left out, `interrupting` always there, the author's
// order. Unknown fields and fields of the wrong type are kept as they are and told to `problems`.
json::Value normalized(const json::Value& document, UnknownFields unknown, Problems& problems);

}  // namespace millrace::definition
