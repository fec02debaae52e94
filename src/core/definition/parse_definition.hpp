#pragma once

#include <string>
#include <string_view>

#include "core/definition/definition.hpp"

namespace millrace {

// How strictly fields that the format does not know are taken.
enum class UnknownFields { refuse, ignore };

// Checks a definition against every rule of docs/reference/definitions.md and makes it ready to
// run. The error names all violations at once: `detail` has the whole text, `details` one entry for
// each, with the path of step and field.
Result<DefinitionPtr> parse_definition(const json::Value& document,
                                       UnknownFields unknown = UnknownFields::refuse);

// The same for a document that a store gives back: an earlier program took it by its own rules, or
// a newer one, which may know fields that this one does not.
Result<DefinitionPtr> parse_stored_definition(const json::Value& document);

// The same content has the same canonical text, whatever the order of keys, the white space and
// the `version` it was sent with. The order of conditionalNextSteps and transformations counts.
std::string canonical_text(const json::Value& document);

// What is stored and given back: the author's members in the author's order, the version filled in.
json::Value with_version(const json::Value& document, std::int32_t version);

}  // namespace millrace
