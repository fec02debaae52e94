#pragma once

#include <optional>
#include <vector>

#include "core/expression/evaluation.hpp"

namespace millrace::expression {

// The items without those that equal an earlier one, in their order. Takes steps in proportion to
// the size of the items, not to its square.
std::optional<std::vector<Value>> distinct(Evaluation& run, const std::vector<Value>& items);

}  // namespace millrace::expression
