#pragma once

#include <string_view>

#include "base/result.hpp"
#include "core/expression/node.hpp"

namespace millrace::expression {

// The tree of a whole text; invalid_argument, with the position, when it is no expression.
Result<NodePtr> parse(std::string_view text);

}  // namespace millrace::expression
