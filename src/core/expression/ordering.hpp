#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "core/expression/evaluation.hpp"

namespace millrace::expression {

// Whether an optional argument `asc` or `desc` asks for descending order; null is `asc`.
std::optional<bool> descends_by(Evaluation& run, const Value* order);

// The places of the keys in sorted order; equal ones keep theirs. Fails unless all keys are
// numbers, all strings, all times or all durations.
std::optional<std::vector<std::size_t>> sorted_places(Evaluation& run,
                                                      const std::vector<Value>& keys,
                                                      bool descends);

}  // namespace millrace::expression
