#pragma once

#include <optional>

#include "core/expression/evaluation.hpp"
#include "core/expression/node.hpp"

namespace millrace::expression {

// Nothing when the evaluation has failed; it knows why.
std::optional<Value> evaluate(Evaluation& run, const Node& node);

// The value that a path leads to (access.cpp).
std::optional<Value> evaluate_path(Evaluation& run, const Path& path);

// Whether a Variable, or a Path on one, is there; `null` is.
std::optional<bool> is_defined(Evaluation& run, const Node& node);

// The element of an array, the member of a map, the character of a string. Nil for a member that
// the map lacks; fails for an index outside and for any other container.
std::optional<Value> element_of(Evaluation& run, const Value& container, const Value& index);

// The text under which a value is a key of a map: its own for a string, and that of a number or
// Boolean. Fails for the others.
std::optional<std::string_view> key_of(Evaluation& run, const Value& value);

}  // namespace millrace::expression
