#pragma once

#include "core/definition/parse_definition.hpp"
#include "core/definition/problems.hpp"

namespace millrace::definition {

// The one form of a document that every other function here reads: field names in their proper
// case, fields that are null, zero or empty left out, `interrupting` always there, the author's
// order. Told to `problems`: unknown fields, which are kept as they are, and fields of the wrong
// type or that stand twice, which are left out.
json::Value normalized(const json::Value& document, UnknownFields unknown, Problems& problems);

}  // namespace millrace::definition
