#pragma once

#include <optional>

#include "core/expression/evaluation.hpp"

namespace millrace::expression {

// The JSON form of a result: times and durations become texts. Fails on what is too large or nested
// too deep to be stored.
std::optional<json::Value> to_json(Evaluation& run, const Value& value);

}  // namespace millrace::expression
